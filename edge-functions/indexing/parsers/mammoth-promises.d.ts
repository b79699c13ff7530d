// Types of the one internal module of mammoth that docx.ts replaces; mammoth ships none.
declare module "mammoth/lib/promises.js" {
  const promises: { toExternalPromise<Value>(promise: Promise<Value>): Promise<Value> };
  export default promises;
}
