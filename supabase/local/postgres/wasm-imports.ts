// Owns putting functions of ours in place of what the WASM imports. Emscripten's own objects stay as they are.

export type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance) => void,
) => unknown;

// biome-ignore lint/complexity/noBannedTypes: the WASM's imports have every signature there is.
type Import = Function;

/**
 * The same imports, but for those that `replace` has another for.
 * @param replace gets a function's name and the original; undefined keeps it.
 */
export function withImports(
  imports: WebAssembly.Imports,
  replace: (name: string, original: Import) => Import | undefined,
): WebAssembly.Imports {
  const replaced = (functions: WebAssembly.ModuleImports): WebAssembly.ModuleImports =>
    // A proxy, since Emscripten answers for some names only when they are asked for.
    new Proxy(functions, {
      get: (target, name) => {
        const original: unknown = Reflect.get(target, name);
        if (typeof original !== "function" || typeof name !== "string") return original;
        return replace(name, original) ?? original;
      },
    });
  return Object.fromEntries(Object.entries(imports).map(([name, functions]) => [name, replaced(functions)]));
}
