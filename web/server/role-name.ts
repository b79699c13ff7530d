// How a role is called: a system role in the page's language, a team's own as the team named it.
import type { TFunction } from "i18next";
import type { Role } from "./api-types.ts";

export function roleName(t: TFunction, { system, codename, name }: Role): string {
  return system ? t(`teams:roles.${codename}`) : name;
}

/** The roles that somebody with these permissions may hand out: none with a permission that they lack. */
export function grantableRoles(roles: Role[], own: string[]): Role[] {
  return roles.filter(({ permissions }) => permissions.every((one) => own.includes(one)));
}
