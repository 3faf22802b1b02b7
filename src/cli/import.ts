import { importGiteaCommand } from './import-gitea.ts';
import { words } from './words.ts';

/** `copse import`: makes a Copse of the data of another program. */
export const importData = words('copse import', 'Imports the data of another program.', { gitea: importGiteaCommand });
