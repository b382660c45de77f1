/** Known answers are bundled as text (tools/known-answers.mjs). */
declare module '*.json' {
  const text: string;
  export default text;
}
