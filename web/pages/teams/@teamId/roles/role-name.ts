// The display name of a role: a system role's in the page's language, a custom role's as the team named it.
import type { TFunction } from "i18next";
import type { Role } from "#web/request/api-types.ts";

export function roleName(t: TFunction, { system, codename, name }: Role): string {
  return system ? t(`teams:roles.${codename}`) : name;
}

/** The roles that a person with these permissions may assign: none that has a permission they lack. */
export function grantableRoles(roles: Role[], own: string[]): Role[] {
  return roles.filter(({ permissions }) => permissions.every((one) => own.includes(one)));
}
