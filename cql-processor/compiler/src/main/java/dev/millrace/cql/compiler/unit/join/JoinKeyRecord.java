package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.Collections;

/**
 * The table of a join's keys, and the words of a key's record after those of its {@link KeyTableGenerator}: number of
 * rows that have it; then, per side, its oldest and newest row, and their number; last the number of the last instant
 * in which a pair of the key entered.
 *
 * <p>Immutable.
 */
final class JoinKeyRecord
{
    private static final int SIDE = 1;
    private static final int SIDE_WORDS = 3;
    private static final int STAMP = SIDE + 2 * SIDE_WORDS;
    private static final int WORDS = STAMP + 1;

    private final KeyTableGenerator keys;

    JoinKeyRecord(final UnitSource unit, final FlowNode.Join join, final String name)
    {
        keys = new KeyTableGenerator(unit, name, new RowWords(unit,
            join.leftKeys().stream().map(join.left().rows().types()::get).toList(),
            Collections.nCopies(join.leftKeys().size(), false)), WORDS, "maxRows");
    }

    /** The table of keys. */
    KeyTableGenerator keys()
    {
        return keys;
    }

    /** Writes locals for the record of the key {@code g}: {@code r}, and {@code k} for the index of its words. */
    void writeLocals(final ExpressionCode code)
    {
        code.line("final long[] r = " + keys.records() + ';');
        code.line("final int k = g * " + keys.width() + " + " + keys.keyWords() + ';');
    }

    /** Index of the oldest row of a side. */
    int oldest(final boolean ofLeft)
    {
        return word(ofLeft, 0);
    }

    /** Index of the newest row of a side. */
    int newest(final boolean ofLeft)
    {
        return word(ofLeft, 1);
    }

    /** Index of the number of rows of a side. */
    int count(final boolean ofLeft)
    {
        return word(ofLeft, 2);
    }

    private static int word(final boolean ofLeft, final int word)
    {
        return SIDE + (ofLeft ? 0 : SIDE_WORDS) + word;
    }

    /** Index of the number of the last instant in which a pair of the key entered. */
    int stamp()
    {
        return STAMP;
    }

    /** Java expression of that number, for the key with an id. */
    String stampOf(final String key)
    {
        return "r[" + key + " * " + keys.width() + " + " + (keys.keyWords() + STAMP) + ']';
    }
}
