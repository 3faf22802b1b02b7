import { type LimitNode, type OperationNode, SqliteQueryCompiler, type ValueNode } from 'kysely';

/**
 * Writes limits into the text of statements. If a limit is a value, SQLite plans the statement again for each execution, which takes as
 * long as reading some twenty rows.
 */
export class LiteralLimits extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const limit = isValue(node.limit) ? node.limit.value : undefined;
    if (typeof limit === 'number' && Number.isSafeInteger(limit)) this.append(`limit ${limit}`);
    else super.visitLimit(node);
  }
}

function isValue(node: OperationNode): node is ValueNode {
  return node.kind === 'ValueNode';
}
