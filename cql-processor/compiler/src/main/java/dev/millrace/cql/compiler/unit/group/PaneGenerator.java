package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.List;

/**
 * The rows of {@code [range T slide D]} below a group whose aggregates can be added. A pane consists of rows that enter
 * and leave together. A row is added to the record of its group in the open pane; records enter and leave at multiples
 * of D, so that the cost of a step depends on the groups of its panes, and no row is stored.
 *
 * <p>Not thread-safe; used for one class.
 */
final class PaneGenerator
{
    /**
     * Words of a group's record: the last pane in which it has rows, its record there, and the number of its records.
     */
    static final int WORDS = 3;

    private static final int PANE = 0;
    private static final int RECORD = 1;
    private static final int RECORDS = 2;

    private final String ring;
    private final String range;
    private final String slide;
    private final boolean isRegular;
    private final String pane;
    private final String tick;
    private final String leaves;
    private final String group;
    /** Index of its words in a group's record. */
    private final int first;
    private final AggregatesGenerator aggregates;

    /**
     * Declares the ring.
     *
     * @param group name of the group
     * @param first index of {@value #WORDS} words in its record
     */
    PaneGenerator(final UnitSource unit, final String group, final FlowNode.Group node, final WindowSpec.Range window,
        final int first)
    {
        this.group = group;
        this.first = first;
        range = unit.number(window.rangeNs(), CqlType.BIGINT);
        slide = unit.number(window.slideNs(), CqlType.BIGINT);
        isRegular = window.rangeNs() % window.slideNs() == 0;
        ring = group + "panes";
        pane = ring + "pane";
        tick = ring + "tick";
        leaves = ring + "leaves";
        aggregates = new AggregatesGenerator(unit, group, node, GroupInput.GROWING, false);
        unit.field("final PaneRing", ring, "new PaneRing(" + aggregates.words() + ", maxRows, memory)");
        unit.numbers("long", pane, "1L");
        unit.numbers("long", tick, "BEGINNING");
        unit.numbers("long", leaves, "BEGINNING");
    }

    /** Name of the ring. */
    String ring()
    {
        return ring;
    }

    /** Index of the word that is 0 when no pane has rows of a group. */
    int recordsAt()
    {
        return first + RECORDS;
    }

    /** Writes the statements that open the pane of a row; opens a block of the row for the case that it is in one. */
    void open(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        code.open("if (now > " + tick + " || " + tick + " == BEGINNING)");
        code.line(tick + " = PeriodMath.up(now, " + slide + ");");
        if (isRegular)
        {
            code.line(leaves + " = PeriodMath.plus(" + tick + ", " + range + ");");
        }
        code.line(pane + "++;");
        code.close();
        if (!isRegular)
        {
            final String time = code.name("e");
            code.line("final long " + time + " = PeriodMath.up(PeriodMath.plus(now, " + range + "), " + slide + ");");
            code.open("if (" + time + " != " + leaves + ')');
            code.line(leaves + " = " + time + ';');
            code.line(pane + "++;");
            code.close();
            row.open("if (" + leaves + " > " + tick + ')');
        }
        code.line("if (" + tick + " < calmNs) calmNs = " + tick + ';');
    }

    /**
     * Writes the statements that add a row to the record of its group.
     *
     * @param id     of the group
     * @param record Java expression of the index of the group's record
     * @param lost   statement for a group that has no rows
     */
    void enter(final SymbolicRow row, final String id, final String record, final String lost)
    {
        final ExpressionCode code = row.code();
        final String of = code.name("r");
        final String at = code.name("o");
        code.line("final long[] " + of + " = " + group + "keys.records;");
        code.line("final int " + at + " = " + record + " + " + first + ';');
        final String words = of + '[' + at + " + ";
        final String isOut = code.name("e");
        code.line("final boolean " + isOut + " = " + words + PANE + "] != " + pane + " && !" + ring + ".add(" + tick +
            ", " + leaves + ", " + id + ");");
        code.open("if (" + isOut + ')');
        code.line("full(\"rows\");");
        code.line(lost.isEmpty() ? "" : "if (" + words + RECORDS + "] == 0L) " + lost);
        code.close();
        row.open("else");
        code.open("if (" + words + PANE + "] != " + pane + ')');
        code.line(words + PANE + "] = " + pane + ';');
        code.line(words + RECORD + "] = " + ring + ".last();");
        code.line(words + RECORDS + "]++;");
        code.close();
        final String records = code.name("x");
        final String index = code.name("y");
        code.line("final long[] " + records + " = " + ring + ".records;");
        code.line("final int " + index + " = " + ring + ".at((int) " + words + RECORD + "]);");
        final List<Operand> values = aggregates.entering(row, id, "false", "");
        aggregates.change(code, values, id, records, index, 1, null);
    }

    /**
     * Writes the body of the method in which records leave and enter.
     *
     * @param touch  statement for the group {@code g} before it changes; its words are in {@code r} from {@code o} on
     * @param dies   statement for a group without rows in any pane
     * @param words  index of the aggregates in a group's record
     * @param merged the aggregates of groups
     */
    void step(final ExpressionCode code, final String touch, final String dies, final int width, final int words,
        final AggregatesGenerator merged)
    {
        code.line("final long[] r = " + group + "keys.records;");
        code.line("final long[] x = " + ring + ".records;");
        for (final int sign : List.of(-1, 1))
        {
            final String move = sign < 0 ? "leave" : "enter";
            code.open("while (" + ring + '.' + move + "sNs() <= now)");
            code.line("final int id = " + ring + '.' + move + "();");
            code.line("final int g = " + ring + ".group(id);");
            code.line("final int o = g * " + width + " + " + words + ';');
            code.line("final int y = " + ring + ".at(id);");
            code.line(touch);
            merged.merge(code, "r", "o", "x", "y", sign);
            if (sign < 0)
            {
                code.line("if (--r[o + " + (recordsAt() - words) + "] == 0L) " + (dies.isEmpty() ? "{ }" : dies));
            }
            code.close();
        }
    }

    void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Panes\", (long) " + ring + ".size());");
    }
}
