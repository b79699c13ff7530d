// The only script that every page loads. React arrives with the first island; keep this entry and its imports tiny.
import { watchBuilds } from "./client/builds.ts";
import { startDrops } from "./client/drops.ts";
import { startFilters } from "./client/filters.ts";
import { startIslands } from "./client/islands.ts";
import { startMenus } from "./client/menus.ts";
import { startNavigation } from "./client/navigation.ts";
import { startPalette } from "./client/palette.ts";
import { startScrollAreas } from "./client/scroll-areas.ts";
import { start } from "./client/start.ts";
import { reportTimeZone } from "./client/time-zone.ts";
import { startToasts, toast } from "./client/toasts.ts";
import { startTooltips } from "./client/tooltips.ts";

void startNavigation().then(() => startIslands(document, start.messages));
startMenus();
startFilters();
startToasts();
startTooltips();
startPalette();
startDrops();
startScrollAreas();
watchBuilds();
reportTimeZone();
if (start.toast) toast(start.toast);
