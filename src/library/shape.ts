import { isRecord } from '../core/model/json.ts';

/** Checks that an argument has a documented shape; throws a TypeError with its name, and never its value, where it has not. */
export type Shape = (value: unknown, name: string) => void;

/** Throws the error of an argument. */
export function refuse(name: string, wanted: string): never {
  throw new TypeError(`${name} must be ${wanted}.`);
}

export const anything: Shape = () => undefined;

export const text: Shape = (value, name) => {
  if (typeof value !== 'string') refuse(name, 'a string');
};

/** One of some words. */
export function word(...words: readonly string[]): Shape {
  return (value, name) => {
    if (!words.some((each) => each === value)) refuse(name, words.map((each) => `'${each}'`).join(' or '));
  };
}

export function optional(shape: Shape): Shape {
  return (value, name) => {
    if (value !== undefined) shape(value, name);
  };
}

/** A list, each of its members of one shape. */
export function list(shape: Shape): Shape {
  return (value, name) => {
    if (!Array.isArray(value)) return refuse(name, 'a list');
    for (const [index, each] of value.entries()) shape(each, `${name}[${index}]`);
  };
}

/** An object of any keys, each value of one shape. */
export function record(shape: Shape): Shape {
  return (value, name) => {
    if (!isRecord(value)) return refuse(name, 'an object');
    for (const [key, each] of Object.entries(value)) shape(each, `${name}[${JSON.stringify(key)}]`);
  };
}

/** An object with certain fields, each of a shape of its own; it may have others. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value, name) => {
    if (!isRecord(value)) return refuse(name, 'an object');
    for (const [key, shape] of Object.entries(shapes)) shape(value[key], `${name}.${key}`);
  };
}
