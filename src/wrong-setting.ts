import { SettingsError, type WebSettings } from './config.ts';

export type SettingName = keyof WebSettings;

/** What keeps a process from its work although the servers answer. */
export interface WrongSetting {
  /** The one to change; undefined if none is known to be wrong: they are not compared yet, or something else is wrong. */
  readonly setting: SettingName | undefined;
  /** The heading of its entry in docs/operations.md. */
  readonly runbook: string;
  /** What is wrong, for a person. */
  readonly message: string;
}

/** A setting that does not fit the database or the other processes. */
export class WrongSettingError extends SettingsError implements WrongSetting {
  readonly setting: SettingName;
  readonly runbook: string;

  /** @param faults what is wrong with it, each to be read after its name. */
  constructor(setting: SettingName, runbook: string, faults: readonly string[]) {
    const lines = faults.map((fault) => `  ${setting} ${fault}`);
    super(`wrong settings:\n${lines.join('\n')} (docs/operations.md, "${runbook}")`);
    this.setting = setting;
    this.runbook = runbook;
  }
}
