package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import java.util.List;

/**
 * Rows that statements of a family put out: written into the log of the family under the place at hand, {@code slot};
 * at the end of a batch copied to the batches of the statements.
 */
final class FamilyChange extends GroupChange
{
    /** Flag of a row in the upper half of its link: it leaves the relation. Flags of nulls come after it. */
    private static final int LEAVES = 1;

    private final PlanNode node;
    private final String family;
    private final boolean relation;

    FamilyChange(final PlanNode node, final Operator.KeyedOutputs keyed, final String family)
    {
        super(node, keyed.shape() == null ? null : keyed.shape().having(), keyed.fields(), List.of());
        this.node = node;
        this.family = family;
        relation = ((Operator.Output)keyed.consumers().get(0)).kind() == Operator.OutputKind.RELATION;
    }

    @Override
    boolean isRelation()
    {
        return relation;
    }

    /** Code that gives out all rows. */
    String flush()
    {
        return "flush" + node.number + "(in);";
    }

    @Override
    void put(final JavaText body, final MethodScope scope, final Shown shown)
    {
        body.open("if (" + family + ".isFull())");
        body.line(flush());
        body.close();
        body.line("final int logAt = " + family + ".add(slot);");
        body.line("final long[] log = " + family + ".log();");
        body.line("log[logAt] = " + (shown.time() == null ? "in.timestampNs(" + shown.row() + ')' : shown.time()) +
            ';');
        body.line("log[logAt + FamilyOutputs.ORIGIN] = " + (shown.row() == null ? "0L" :
            "in.hasOrigins() ? in.originsNs()[" + shown.row() + "] : 0L") + ';');
        final StringBuilder flags = new StringBuilder(shown.enters() ? "" : " | " + (1L << Integer.SIZE) + 'L');
        for (int i = 0; i < shown.values().size(); i++)
        {
            body.line("log[logAt + FamilyOutputs.FIXED_WORDS + " + i + "] = " +
                word(node.outputTypes().get(i), shown.values().get(i)) + ';');
            if (shown.nulls().get(i) != null)
            {
                flags.append(" | (").append(shown.nulls().get(i)).append(" ? ")
                    .append(1L << Integer.SIZE + 1 + i).append("L : 0L)");
            }
        }
        if (flags.length() > 0)
        {
            body.line("log[logAt + FamilyOutputs.LINK] |= " + flags.substring(3) + ';');
        }
    }

    private static String word(final CqlType type, final String value)
    {
        return switch (type.storage())
        {
            case FLOAT32 -> "Float.floatToRawIntBits(" + value + ')';
            case FLOAT64 -> "Double.doubleToRawLongBits(" + value + ')';
            case BIT -> '(' + value + ") ? 1L : 0L";
            default -> value;
        };
    }

    private static String value(final CqlType type, final String word)
    {
        return switch (type.storage())
        {
            case FLOAT32 -> "Float.intBitsToFloat((int) " + word + ')';
            case FLOAT64 -> "Double.longBitsToDouble(" + word + ')';
            case BIT -> "(byte) " + word;
            case INT64 -> word;
            default -> "(int) " + word;
        };
    }

    /** Writes the method that gives out all rows. */
    void writeFlush(final JavaText methods, final int firstCounter)
    {
        final JavaText body = new JavaText(2);
        body.line("final FamilyOutputs outputs = " + family + ';');
        body.line("final long[] log = outputs.log();");
        body.line("final boolean origins = in.hasOrigins();");
        body.line("// All batches lie on the arrays of the first.");
        body.line("final long[] times = outputs.batch(0).timestampsNs();");
        for (int i = 0; i < node.outputTypes().size(); i++)
        {
            final CqlType type = node.outputTypes().get(i);
            body.line("final " + JavaTypes.element(type) + "[] o" + i + " = outputs.batch(0)." +
                JavaTypes.accessor(type) + '(' + i + ");");
        }
        body.open("try");
        body.open("for (int o = outputs.nextOutput(0); o >= 0; o = outputs.nextOutput(o + 1))");
        body.line("final EventBatch out = outputs.batch(o);");
        body.line("int k = 0;");
        body.open("for (int at = outputs.firstRow(o); at >= 0; at = (int) log[at + FamilyOutputs.LINK])");
        body.open("if (k == EventBatch.CAPACITY)");
        writeSend(body, firstCounter);
        body.line("k = 0;");
        body.close();
        writeRow(body);
        body.line("k++;");
        body.close();
        writeSend(body, firstCounter);
        body.close();
        body.close();
        body.open("finally");
        body.line("outputs.clear();");
        body.close();
        Stage.method(methods, "Rows of the family leave, statement by statement.",
            "private void flush" + node.number + "(final EventBatch in)", new MethodScope(), body);
    }

    private void writeRow(final JavaText body)
    {
        final List<CqlType> types = node.outputTypes();
        body.line("times[k] = log[at];");
        body.open("if (origins)");
        body.line("out.useOrigins()[k] = log[at + FamilyOutputs.ORIGIN];");
        body.close();
        if (relation)
        {
            body.line("out.useKinds()[k] = (log[at + FamilyOutputs.LINK] & " + ((long)LEAVES << Integer.SIZE) +
                "L) != 0L ? EventBatch.DELETE : EventBatch.INSERT;");
        }
        boolean nulls = false;
        for (int i = 0; i < types.size(); i++)
        {
            body.line("o" + i + "[k] = " + value(types.get(i), "log[at + FamilyOutputs.FIXED_WORDS + " + i + ']') +
                ';');
            nulls |= types.get(i).storage().usesNullBitmap();
        }
        if (nulls)
        {
            body.open("if (log[at + FamilyOutputs.LINK] >>> " + (Integer.SIZE + 1) + " != 0L)");
            for (int i = 0; i < types.size(); i++)
            {
                if (types.get(i).storage().usesNullBitmap())
                {
                    body.open("if ((log[at + FamilyOutputs.LINK] & " + (1L << Integer.SIZE + 1 + i) + "L) != 0L)");
                    body.line("out.setNull(" + i + ", k);");
                    body.close();
                }
            }
            body.close();
        }
    }

    private void writeSend(final JavaText body, final int firstCounter)
    {
        body.line("out.useTimestampPerRow();");
        body.line("out.size(k);");
        body.line("send(outputs.sink(o), " + firstCounter + " + o, out);");
    }
}
