// The one inner part of mammoth that docx.ts replaces; mammoth ships no types for it.
declare module "mammoth/lib/promises.js" {
  const promises: { toExternalPromise<Value>(promise: Promise<Value>): Promise<Value> };
  export default promises;
}
