import type { BankMember } from "../../member.ts";
import { birthsByRemoteness } from "./gb01-births-by-remoteness.ts";
import { primaryCarers } from "./gb02-primary-carers.ts";
import { payrollJobs } from "./gb03-payroll-jobs.ts";
import { hoursWorked } from "./gb04-hours-worked.ts";
import { employedByIndustry } from "./gb05-employed-by-industry.ts";
import { manufacturingByState } from "./gb06-manufacturing-by-state.ts";
import { businessCounts } from "./gb07-business-counts.ts";
import { healthCharacteristics } from "./gb08-health-characteristics.ts";
import { consultations } from "./gb09-consultations.ts";
import { schoolStaff } from "./gb10-school-staff.ts";
import { communityCareContacts } from "./gb11-community-care-contacts.ts";
import { persistentHomelessness } from "./gb12-persistent-homelessness.ts";

/** Twelve published workbooks, one table (or pair of tables) of each. Recipes and READMEs lie under `benchmarks/members/`. */
export const BANK_MEMBERS: readonly BankMember[] = [
  birthsByRemoteness,
  primaryCarers,
  payrollJobs,
  hoursWorked,
  employedByIndustry,
  manufacturingByState,
  businessCounts,
  healthCharacteristics,
  consultations,
  schoolStaff,
  communityCareContacts,
  persistentHomelessness,
];
