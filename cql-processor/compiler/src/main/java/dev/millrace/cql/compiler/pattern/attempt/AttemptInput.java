package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.BatchColumns;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PartitionLayout;
import dev.millrace.cql.compiler.pattern.StoredColumn;
import dev.millrace.cql.plan.flow.RowType;
import java.util.List;

/**
 * Source text for the input of a pattern whose attempts are records: columns of rows, their partition, and the values
 * that the partition stores. Columns are fields {@code x..} and {@code z..} (null), string codes of keys {@code k..}.
 *
 * <p>Not thread-safe; used for one class.
 */
final class AttemptInput
{
    /** Number of rows whose partitions are looked up together. */
    private static final int AHEAD = 64;

    private final RowType rows;
    private final AttemptLayout layout;
    private final PartitionLayout partition;
    private final int timeColumn;
    private final AttemptRecordLayout words;

    /**
     * @param rows       of the input
     * @param layout     determines which columns are read
     * @param timeColumn column with the time of a row, -1 without
     * @param words      of the records
     */
    AttemptInput(final RowType rows, final AttemptLayout layout, final int timeColumn, final AttemptRecordLayout words)
    {
        this.rows = rows;
        this.layout = layout;
        partition = layout.partition();
        this.timeColumn = timeColumn;
        this.words = words;
    }

    private CqlType type(final int column)
    {
        return rows.types().get(column);
    }

    private List<StoredColumn> codes()
    {
        return partition.keys().stream().filter(StoredColumn::isCode).toList();
    }

    /** Writes all methods. */
    void write(final AttemptClass to)
    {
        to.method("public void take(final EventBatch batch, final long[] timesNs, final int[] rows, final int count)",
            ofBatch());
        to.method("private void remember(final long[] r, final int o, final int p)", remember());
        to.method("protected boolean isAmong(final int partition, final PartitionPredicate test, final int column)",
            isAmong());
        to.method("private int find()", find());
        if (!partition.keys().isEmpty())
        {
            to.method("private int lookUp()", lookUp(!words.hasRecords ?
                "      touched += r[o + " + (words.partitionWords - 1) + "];\n" :
                "      final int id = (int) (r[o] >> 32);\n" +
                "      if (id >= 0) touched += attempts.chunk(id)[attempts.at(id)];\n"));
        }
        if (!layout.computed().isEmpty())
        {
            to.method("private void arguments()", arguments(to));
        }
    }

    /** The body that evaluates arguments of the current row whose computation may fail. */
    private String arguments(final AttemptClass to)
    {
        final TermMethods terms = new TermMethods("argumentTerms", "private", "", "");
        final ExpressionCode code =
            new ExpressionCode(to.constants, (leaf, writer) -> RowValues.ofRow(leaf), terms);
        for (int i = 0; i < layout.computed().size(); i++)
        {
            final Operand value = code.write(layout.computed().get(i));
            code.line("noArgument" + i + " = " + value.isNull() + ';');
            code.line("argument" + i + " = " + value.value() + ';');
        }
        to.text(terms.text());
        return code.text();
    }

    /** Fields for the current row. */
    String fields()
    {
        final StringBuilder text = new StringBuilder();
        for (final int column : layout.columns())
        {
            text.append(BatchColumns.fields(type(column), column));
        }
        text.append("  private static final int AHEAD = ").append(AHEAD)
            .append(";\n  private int known = NONE;\n  private long touched;\n")
            .append("  private final int[] found = new int[AHEAD];\n");
        codes().forEach(key -> text.append("  private int k").append(key.column())
            .append(";\n  private final CharColumnInput c").append(key.column()).append(" = keyStrings.input(")
            .append(key.column()).append(");\n"));
        return text.toString();
    }

    /**
     * The body that processes rows of a batch. The partitions of several rows are looked up first, so that memory
     * accesses overlap.
     */
    String ofBatch()
    {
        final StringBuilder columns = new StringBuilder();
        final StringBuilder load = new StringBuilder();
        final StringBuilder loadKey = new StringBuilder();
        for (final int column : layout.columns())
        {
            if (column == timeColumn)
            {
                load.append("        x").append(column).append(" = nowNs;\n");
                continue;
            }
            columns.append(BatchColumns.bind(type(column), column));
            load.append(BatchColumns.load(type(column), column));
            if (partition.keys().stream().anyMatch(key -> key.column() == column))
            {
                loadKey.append(BatchColumns.load(type(column), column));
            }
        }
        for (final StoredColumn key : codes())
        {
            final String column = Integer.toString(key.column());
            columns.append("    c").append(column).append(".bind(batch);\n    c").append(column)
                .append(".lookUp(rows, count);\n");
            final String code = "        k" + column + " = c" + column + ".code(row);\n";
            loadKey.append(code);
            load.append(code);
        }
        final boolean looksAhead = !partition.keys().isEmpty();
        return columns + "    for (int from = 0; from < count; from += AHEAD) {\n" +
            "      final int to = Math.min(count, from + AHEAD);\n" + (looksAhead ?
            "      for (int i = from; i < to; i++) {\n        final int row = rows[i];\n" + loadKey +
            "        found[i - from] = lookUp();\n      }\n      final long removals = partitions.removals();\n" : "") +
            "      for (int i = from; i < to; i++) {\n        final int row = rows[i];\n" +
            "        nowNs = timesNs[i];\n" + load + (looksAhead ?
            "        known = removals == partitions.removals() ? found[i - from] : NONE;\n" : "") +
            "        try { row(); } catch (RowRejectedException cause) { reject(cause); }\n      }\n    }\n" +
            "    known = NONE;\n";
    }

    /** The body that finds the partition of the current row and reads the values that are needed. */
    String lookUp(final String touch)
    {
        return "    final int p = find();\n    if (p >= 0) {\n      final long[] r = partitions.chunk(p);\n" +
            "      final int o = partitions.at(p);\n" + touch + "    }\n    return p;\n";
    }

    private boolean hasOneWord()
    {
        return partition.keyWords() == 1 && partition.keys().size() == 1;
    }

    /** The body that stores the current row in its partition. */
    String remember()
    {
        final StringBuilder text = new StringBuilder();
        partition.earlier().forEach(kept -> remember(kept, text));
        for (int i = partition.agesAt() + partition.ages() - 1; i >= partition.agesAt(); i--)
        {
            text.append("    r[o + ").append(i).append("] = ")
                .append(i == partition.agesAt() ? "nowNs" : "r[o + " + (i - 1) + ']').append(";\n");
        }
        if (words.lastTimeAt >= 0)
        {
            text.append("    r[o + ").append(words.lastTimeAt).append("] = nowNs;\n");
        }
        for (int i = words.arrivals - 1; i >= 0; i--)
        {
            text.append("    r[o + ").append(words.arrivalsAt + i).append("] = ")
                .append(i == 0 ? "arrival" : "r[o + " + (words.arrivalsAt + i - 1) + ']').append(";\n");
        }
        return text.toString();
    }

    private static void remember(final StoredColumn kept, final StringBuilder text)
    {
        final String column = Integer.toString(kept.column());
        for (int i = kept.depth() - 1; i > 0; i--)
        {
            final int to = kept.index() + i;
            text.append(kept.isReference() ? "    partitions.reference(p, " + to + ", partitions.reference(p, " +
                (to - 1) + "));\n" : "    r[o + " + to + "] = r[o + " + (to - 1) + "];\n");
        }
        text.append(kept.isReference() ? "    partitions.reference(p, " + kept.index() + ", z" + column +
            " ? null : x" + column + ");\n" :
            "    r[o + " + kept.index() + "] = " + Registers.encode(kept.type(), "x" + column) + ";\n");
        if (kept.flag() < 0)
        {
            for (int i = kept.depth() - 1; i > 0; i--)
            {
                text.append("    r[o + ").append(kept.known() + i).append("] = r[o + ").append(kept.known() + i - 1)
                    .append("];\n");
            }
            text.append("    r[o + ").append(kept.known()).append("] = z").append(column).append(" ? 0L : 1L;\n");
            return;
        }
        final long mask = (1L << kept.depth()) - 1 << kept.flag();
        text.append("    r[o] = r[o] & ~").append(mask).append("L | r[o] << 1 & ").append(mask & mask << 1)
            .append("L | (z").append(column).append(" ? ").append(1L << kept.flag()).append("L : 0L);\n");
    }

    /** The body that appends the current row to the queue of its partition. */
    String enqueue(final int queueAt, final String outputIndex)
    {
        final StringBuilder text = new StringBuilder("    final int row = queues.add(arrival, nowNs, " + outputIndex +
            ");\n");
        for (int i = 0; i < layout.queued().size(); i++)
        {
            final int column = layout.queued().get(i);
            text.append("    if (!z").append(column).append(") queues.").append(LocalTypes.setter(type(column)))
                .append("(row, ").append(i).append(", ")
                .append(type(column) == CqlType.BOOLEAN ? 'x' + Integer.toString(column) + " ? 1L : 0L" : "x" + column)
                .append(");\n");
        }
        return text + "    r[o + " + queueAt + "] = queues.append(r[o + " + queueAt + "], row);\n";
    }

    /** The body that tests whether a partition is selected, by the value of a column of its key. */
    String isAmong()
    {
        final StringBuilder cases = new StringBuilder();
        for (final StoredColumn key : partition.keys())
        {
            // Rows are not partitioned by other values.
            cases.append(key.isReference() ? "" : "      case " + key.column() + ": return " +
                AttemptLeafResolver.isKeyNull(key, "partition") + " ? test.ofNull() : test." + switch (key.type())
                {
                    case CHAR -> "ofString(";
                    case FLOAT -> "ofFloat(";
                    case DOUBLE -> "ofDouble(";
                    default -> "ofLong(";
                } + (key.type() == CqlType.BOOLEAN ? "r[o + " + key.index() + ']' :
                AttemptLeafResolver.key(key, "partition")) + ");\n");
        }
        return "    final long[] r = partitions.chunk(partition);\n    final int o = partitions.at(partition);\n" +
            "    switch (column) {\n" + cases + "      default: throw new IllegalStateException();\n    }\n";
    }

    /** The body that finds the partition of the current row. */
    String find()
    {
        if (hasOneWord())
        {
            final StoredColumn key = partition.keys().get(0);
            return "    return partitions." + (key.isCode() ? "findByCode(" : "find(") + nulls() + ", " + word(key) +
                ");\n";
        }
        final StringBuilder text = new StringBuilder("    partitions.key(").append(nulls()).append(");\n");
        for (final StoredColumn key : partition.keys())
        {
            text.append("    partitions.key(").append(key.isReference() ? key.index() + ", z" + key.column() +
                " ? null : (Object) x" + key.column() : key.index() - 1 + ", " + word(key)).append(");\n");
            if (key.known() >= 0)
            {
                text.append("    partitions.key(").append(key.known() - 1).append(", z").append(key.column())
                    .append(" ? 1L : 0L);\n");
            }
        }
        return text + "    return partitions.find();\n";
    }

    /** Bits of the columns of the key that are null. */
    private String nulls()
    {
        final StringBuilder nulls = new StringBuilder("0L");
        partition.keys().stream().filter(key -> key.flag() >= 0).forEach(key -> nulls.append(" | (z")
            .append(key.column()).append(" ? ").append(1L << key.flag()).append("L : 0L)"));
        return nulls.toString();
    }

    private static String word(final StoredColumn key)
    {
        final String column = "x" + key.column();
        return key.isCode() ? "k" + key.column() : 'z' + Integer.toString(key.column()) + " ? 0L : " +
            (LocalTypes.isFloating(key.type()) ? "Double.doubleToLongBits(" + column + " + 0.0)" :
            "(long) (" + Registers.encode(key.type(), column) + ')');
    }
}
