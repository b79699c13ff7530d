// Owns the replacement of functions that the WASM imports. Emscripten's own objects stay unchanged.

export type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance) => void,
) => unknown;

// biome-ignore lint/complexity/noBannedTypes: the WASM's imports have every signature there is.
type Import = Function;

/**
 * The same imports, with some functions replaced.
 * @param replace receives a function's name and the original; undefined keeps it.
 */
export function withImports(
  imports: WebAssembly.Imports,
  replace: (name: string, original: Import) => Import | undefined,
): WebAssembly.Imports {
  const replaced = (functions: WebAssembly.ModuleImports): WebAssembly.ModuleImports =>
    // A proxy, because Emscripten resolves some names only on access.
    new Proxy(functions, {
      get: (target, name) => {
        const original: unknown = Reflect.get(target, name);
        if (typeof original !== "function" || typeof name !== "string") return original;
        return replace(name, original) ?? original;
      },
    });
  return Object.fromEntries(Object.entries(imports).map(([name, functions]) => [name, replaced(functions)]));
}
