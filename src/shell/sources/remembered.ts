/** A question that is asked once for each text, also while its answer is on the way. */
export function remembered<T>(ask: (text: string) => Promise<T>): (text: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (text) => {
    const answer = answers.get(text) ?? ask(text);
    answers.set(text, answer);
    return answer;
  };
}
