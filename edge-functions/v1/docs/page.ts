// Owns the page that shows the API's description: HTML and one style sheet, no script. Pure.
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Description, Operation, Parameter } from "../openapi.ts";
import type { Schema } from "../openapi-examples.ts";
import { style } from "./style.ts";

type Html = ReturnType<typeof html>;
type Entry = { id: string; method: string; path: string; operation: Operation };

/** The page, and headers that allow only its own style. */
export function docsPage(description: Description): { text: string; headers: Record<string, string> } {
  const groups = groupByTag(description);
  const { title, version, description: about } = description.info;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API ${version}</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the calls</a>
<nav aria-label="Calls">
<p class="brand">${title} API</p>
${[...groups].map(
  ([tag, entries]) => html`<h2>${tag}</h2>
<ul>${entries.map(({ id, operation }) => html`<li><a href="#${id}">${operation.summary ?? id}</a></li>`)}</ul>`,
)}
<h2><a href="#errors">Errors</a></h2>
<h2>Shapes</h2>
<ul>${shapeNames(description).map((name) => html`<li><a href="#shape-${name}">${name}</a></li>`)}</ul>
</nav>
<main id="main">
<h1>${title} API <small>${version}</small></h1>
<p>${about}</p>
<p>Send <code>Authorization: Bearer …</code> with a user's access token or a team's API key. A visitor of a public agent sends the
<code>visitorToken</code> of the chat as <code>X-Visitor-Token</code>. The same description for programs:
<a href="openapi.json">openapi.json</a>.</p>
${[...groups].map(
  ([tag, entries]) => html`<section><h2>${tag}</h2>${entries.map((entry) => operationOf(entry))}</section>`,
)}
<section id="errors"><h2>Errors</h2>
<p>Any call may answer with these. <code>code</code> is for programs, <code>message</code> for people.</p>
${Object.entries(description.components.responses).map(
  ([name, answer]) =>
    html`<article><p><span class="status">${name.replace("Error", "")}</span> ${answer.description}</p>${answer.content ? contentOf(answer.content) : ""}</article>`,
)}
</section>
<section><h2>Shapes</h2>
${shapeNames(description).map(
  (name) =>
    html`<article id="shape-${name}"><h3>${name}</h3>${propertiesOf(description.components.schemas[name])}</article>`,
)}
</section>
</main>
</body>
</html>
`;
  const hash = createHash("sha256").update(style).digest("base64");
  return {
    text: String(page),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
  };
}

function groupByTag({ paths }: Description): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "Other";
      const entry = {
        id: operation.operationId ?? `${method}${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      };
      groups.set(tag, [...(groups.get(tag) ?? []), entry]);
    }
  }
  // Few readers are platform admins.
  return new Map([...groups].sort(([one], [other]) => Number(one === "Admin") - Number(other === "Admin")));
}

const shapeNames = (description: Description) => Object.keys(description.components.schemas).sort();

function operationOf({ id, method, path, operation }: Entry): Html {
  const { parameters = [], requestBody, responses, security } = operation;
  const login = security?.length === 0 ? "no login" : security?.some(isEmpty) ? "login optional" : "";
  return html`<article id="${id}">
<h3>${operation.summary ?? id}</h3>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>${login ? html` <span class="open">${login}</span>` : ""}</p>
${operation.description ? html`<p>${operation.description}</p>` : ""}
${parameters.length > 0 ? parametersOf(parameters) : ""}
${requestBody ? html`<h4>Body</h4>${contentOf(requestBody.content)}` : ""}
<h4>Answers</h4>
${Object.entries(responses).map(([status, answer]) =>
  "$ref" in answer
    ? ""
    : html`<p><span class="status">${status}</span> ${answer.description}</p>${answer.content ? contentOf(answer.content) : ""}`,
)}
</article>`;
}

/** A security requirement that a call without credentials meets. */
const isEmpty = (requirement: object) => Object.keys(requirement).length === 0;

function parametersOf(parameters: Parameter[]): Html {
  return html`<div class="wide"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><td><code>${name}</code>${required ? html` <em>required</em>` : ""}</td><td>${place}</td><td>${typeOf(schema)}</td><td>${[description, defaultOf(schema)].filter(Boolean).join(" ")}</td></tr>`,
  )}</tbody></table></div>`;
}

const defaultOf = (schema: Schema | undefined) =>
  schema?.default === undefined ? "" : `Default: ${schema.default}.`;

function contentOf(content: NonNullable<Operation["requestBody"]>["content"]): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, example }]) => html`<p class="type"><code>${type}</code> ${typeOf(schema)}</p>
${example === undefined ? "" : html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`}`,
  )}`;
}

function propertiesOf(schema: Schema | undefined): Html {
  const entries = Object.entries(schema?.properties ?? {});
  if (entries.length === 0) return html`<p>${typeOf(schema)}</p>`;
  return html`<div class="wide"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Example</th></tr></thead>
<tbody>${entries.map(
    ([name, part]) =>
      html`<tr><td><code>${name}</code></td><td>${typeOf(part)}</td><td>${part.example === undefined ? "" : html`<code>${JSON.stringify(part.example)}</code>`}</td></tr>`,
  )}</tbody></table></div>`;
}

function typeOf(schema: Schema | undefined): Html {
  if (!schema) return html``;
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return html`<a href="#shape-${name}">${name}</a>`;
  }
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(" | ")}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) return html`${choices.map((one, index) => html`${index > 0 ? " | " : ""}${typeOf(one)}`)}`;
  if (schema.items) return html`list of ${typeOf(schema.items)}`;
  const type = [schema.type ?? "any"].flat().join(" | ");
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    return html`${type}, ${schema.minimum} to ${schema.maximum}`;
  return html`${schema.format ? `${type} (${schema.format})` : type}`;
}
