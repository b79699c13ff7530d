// Loads the dialog for dropped files. Alone in a module, so that the entry lists this chunk and not the twenty of the dialog.
export const loadDialog = () => import("./drop-dialog.tsx");
