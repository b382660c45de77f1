/**
 * The message file as a function t(id, args). A missing message or argument is a fault of the page and throws, so that
 * a test meets it before a reader does. Next to read: ../content/en.ftl.
 */

import { FluentBundle, FluentResource } from '@fluent/bundle';

/**
 * @param {string} source  a Fluent file's text
 * @param {string} language
 * @returns {(id: string, args?: Record<string, string | number>) => string}
 */
export function messages(source, language) {
  // Labels of the user's stand in <bdi> elements of their own; isolating marks in plain text would only be noise.
  const bundle = new FluentBundle(language, { useIsolating: false });
  const broken = bundle.addResource(new FluentResource(source));
  if (broken.length > 0) throw broken[0];
  return (id, args) => {
    const message = bundle.getMessage(id);
    if (!message?.value) throw new Error(`no message "${id}"`);
    return bundle.formatPattern(message.value, args);
  };
}
