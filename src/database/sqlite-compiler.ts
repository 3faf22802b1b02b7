import { type LimitNode, type OperationNode, type SelectModifierNode, SqliteQueryCompiler, type ValueNode } from 'kysely';

/**
 * Writes limits into the text of statements. If a limit is a value, SQLite plans the statement again for each execution, which takes as
 * long as reading some twenty rows. Locks of rows are left out: transactions take turns there.
 */
export class SqliteStatements extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const limit = isValue(node.limit) ? node.limit.value : undefined;
    if (typeof limit === 'number' && Number.isSafeInteger(limit)) this.append(`limit ${limit}`);
    else super.visitLimit(node);
  }

  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForNoKeyUpdate') super.visitSelectModifier(node);
  }
}

function isValue(node: OperationNode): node is ValueNode {
  return node.kind === 'ValueNode';
}
