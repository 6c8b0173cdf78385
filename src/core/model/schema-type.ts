/** The type that a JSON Schema describes, written `as const`; `All` has the definitions that it refers to. */
export type TypeOf<Schema, All> = Schema extends { readonly $ref: `#/definitions/${infer Name}` }
  ? TypeOf<All[Name & keyof All], All>
  : Schema extends { readonly anyOf: readonly (infer One)[] }
    ? Each<One, All>
    : Schema extends { readonly const: infer Value }
      ? Value
      : Schema extends { readonly enum: readonly (infer Value)[] }
        ? Value
        : Schema extends { readonly type: 'array'; readonly items: infer Item }
          ? readonly TypeOf<Item, All>[]
          : Schema extends { readonly type: 'object' }
            ? ObjectOf<Schema, All>
            : Schema extends { readonly type: infer Name }
              ? Primitive<Name>
              : never;

type Each<Schema, All> = Schema extends unknown ? TypeOf<Schema, All> : never;

type ObjectOf<Schema, All> = Schema extends { readonly properties: infer Properties }
  ? {
      readonly [Key in keyof Properties as Key extends Required<Schema> ? Key : never]: TypeOf<
        Properties[Key],
        All
      >;
    } & {
      readonly [Key in keyof Properties as Key extends Required<Schema> ? never : Key]?: TypeOf<
        Properties[Key],
        All
      >;
    }
  : Schema extends { readonly additionalProperties: infer Value }
    ? { readonly [key: string]: TypeOf<Value, All> }
    : never;

type Required<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Primitive<Name> = Name extends readonly (infer One)[]
  ? Primitive<One>
  : Name extends 'string'
    ? string
    : Name extends 'number' | 'integer'
      ? number
      : Name extends 'boolean'
        ? boolean
        : Name extends 'null'
          ? null
          : never;
