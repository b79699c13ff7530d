// Attributes of HTML's invoker commands, which React's types lack.
import "react";

declare module "react" {
  interface ButtonHTMLAttributes<T> {
    command?: "show-modal" | "close" | "toggle-popover" | "show-popover" | "hide-popover";
    commandfor?: string;
  }
}
