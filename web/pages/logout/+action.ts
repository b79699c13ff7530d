// Logs out, from the form in the user menu.
import type { Action } from "../../render/action.ts";
import { logOut } from "./log-out.ts";

export const action: Action = async ({ request }) => ({ redirect: await logOut(request) });
