// What is read of each kind of HubSpot record: its properties, in the order in which they are shown. Pure.
import type { HubspotObject } from "./declaration.ts";

export type CrmObject = Exclude<HubspotObject, "articles">;

interface RecordKind {
  /** HubSpot's number of the kind, as it stands in the addresses of its pages. */
  typeId: string;
  /** The properties of which the title is made; what comes first and is there. */
  title: string[][];
  /** Property and the word before its value. */
  facts: Record<string, string>;
  /** Properties that hold prose, perhaps in HTML. */
  bodies: string[];
  /** The property that holds the moment of the last change: contacts have their own. */
  modified: string;
  scope: string;
}

const modified = "hs_lastmodifieddate";

export const recordKinds: Record<CrmObject, RecordKind> = {
  companies: {
    typeId: "0-2",
    title: [["name"], ["domain"]],
    facts: {
      domain: "Domain",
      industry: "Industry",
      city: "City",
      country: "Country",
      phone: "Phone",
      numberofemployees: "Employees",
      lifecyclestage: "Stage",
    },
    bodies: ["description"],
    modified,
    scope: "crm.objects.companies.read",
  },
  contacts: {
    typeId: "0-1",
    title: [["firstname", "lastname"], ["email"]],
    facts: {
      jobtitle: "Job",
      company: "Company",
      email: "Email",
      phone: "Phone",
      city: "City",
      country: "Country",
      lifecyclestage: "Stage",
    },
    bodies: [],
    modified: "lastmodifieddate",
    scope: "crm.objects.contacts.read",
  },
  deals: {
    typeId: "0-3",
    title: [["dealname"]],
    facts: {
      amount: "Amount",
      deal_currency_code: "Currency",
      dealstage: "Stage",
      pipeline: "Pipeline",
      closedate: "Closes",
    },
    bodies: ["description"],
    modified,
    scope: "crm.objects.deals.read",
  },
  tickets: {
    typeId: "0-5",
    title: [["subject"]],
    facts: {
      hs_ticket_priority: "Priority",
      hs_ticket_category: "Category",
      hs_pipeline_stage: "Stage",
      createdate: "Created",
    },
    bodies: ["content", "hs_resolution"],
    modified,
    scope: "tickets",
  },
  products: {
    typeId: "0-7",
    title: [["name"]],
    facts: { hs_sku: "SKU", price: "Price", hs_product_type: "Type" },
    bodies: ["description"],
    modified,
    scope: "crm.objects.products.read",
  },
  notes: {
    typeId: "0-46",
    title: [],
    facts: { hs_timestamp: "Written" },
    bodies: ["hs_note_body"],
    modified,
    scope: "crm.objects.contacts.read",
  },
};

export function propertiesOf(object: CrmObject): string[] {
  const { title, facts, bodies, modified } = recordKinds[object];
  return [...new Set([...title.flat(), ...Object.keys(facts), ...bodies, modified])];
}
