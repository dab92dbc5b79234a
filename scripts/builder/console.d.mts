export declare const CONSOLE: string;
export declare function buildConsole(): Promise<void>;
