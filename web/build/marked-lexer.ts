// Leaves marked's lexer alone in the browser's files: pages render its tokens as React elements. The bundler keeps the
// rest, a quarter of the package, since `marked()` is assigned its options when it loads.
import type { Plugin } from "vite";

const RENDERING = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(.*(?=export\{)/s;

/** The package without `marked()`, exporting only Lexer. Throws when another version is built otherwise. */
export function lexerOf(code: string): string {
  const lexer = /export\{.*?\b(\w+) as Lexer\b/s.exec(code)?.[1];
  if (!lexer || !RENDERING.test(code))
    throw new Error("marked is built otherwise: adapt web/build/marked-lexer.ts");
  return code.replace(RENDERING, "").replace(/export\{[^}]*\}/, `export{${lexer} as Lexer}`);
}

export function markedLexer(): Plugin {
  return {
    name: "parley:marked-lexer",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /node_modules[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/ },
      handler: (code) => ({ code: lexerOf(code), map: null }),
    },
  };
}
