package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;

/**
 * Rows that are new in a window: a filter that drops a row when an equal one leaves at the time of its arrival. The
 * window stores a row as words: its time, null flags, and the values, in a form in which equal values are equal words.
 */
public final class WindowIStreamGenerator extends OperatorGenerator
{
    private static final int MAX_ROWS = 1 << 30;

    private final Operator.WindowIStream rows;
    private final String window;
    private final int rowCounter;

    public WindowIStreamGenerator(final ClassContext context, final PlanNode node)
    {
        super(context, node);
        rows = (Operator.WindowIStream)node.operator;
        window = "recent" + node.number;
        rowCounter = context.state(name + ".rows");
        context.fields().line("/* Rows of " + name + ". */");
        context.field("final WindowIStreamBuffer " + window);
        // The string table comes first.
        final String held = strings();
        context.constructor().line(window + " = new WindowIStreamBuffer(" + words() + ", " +
            rows.window().rangeNs() + "L, " + rows.window().rows() + ", " + MAX_ROWS + ", memory, " + held + ");");
    }

    /** Code of the string table and of the words that are its codes. */
    private String strings()
    {
        final StringBuilder words = new StringBuilder();
        for (int column = 0; column < rows.fields().size(); column++)
        {
            if (rows.fields().get(column).expression().type() == CqlType.CHAR)
            {
                words.append(words.length() == 0 ? "" : ", ").append(nullWords() + column);
            }
        }
        return words.length() == 0 ? "null, new int[0]" : context.strings() + ", new int[] {" + words + '}';
    }

    /** Words per row: the values, and a word of null flags for each 64 of them. */
    private int words()
    {
        return rows.fields().size() + nullWords();
    }

    private int nullWords()
    {
        return (rows.fields().size() + Long.SIZE - 1) / Long.SIZE;
    }

    @Override
    public int repeatedColumn(final Expression expression)
    {
        return ((Expression.Column)expression).column();
    }

    @Override
    public void writeTime(final JavaText body, final String time)
    {
        body.line(window + ".passTo(" + time + ");");
        body.line("stateSize(" + rowCounter + ", " + window + ".size());");
    }

    @Override
    public void writeForget(final JavaText body)
    {
        body.line("which.check(" + window + ".size() > 0, " + context.text(node.describe()) + ");");
    }

    @Override
    public boolean writeState(final JavaText save, final JavaText load)
    {
        save.line("which.check(" + window + ".size() > 0, " + context.text(node.describe()) + ");");
        save.line(window + ".write(to);");
        load.line(window + ".read(from);");
        return true;
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final String selection = "sel" + node.number;
        context.scratch(selection, "int");
        final MethodScope scope = new MethodScope(true);
        scope.local(selection, "int[]", "this." + selection);
        final JavaText body = new JavaText(2);
        body.line("int k = 0;");
        openLoop(body, scope, input.selection(), "n");
        writeAdd(body, scope, input, "continue;");
        body.line(selection + "[k] = i;");
        body.line("k += " + window + ".enters() ? 1 : 0;");
        body.close();
        body.line("return k;");
        method(methods, "New rows of the window among those of a batch.", "private int " + name + suffix(exact) +
            "(final EventBatch in, final int n)", scope, body);
        return new Batch(new RowSelection(repeated(input), selection), name + suffix(exact), true);
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        writeAdd(body, scope, input, "return;");
        body.open("if (" + window + ".enters())");
        callConsumers(body, exact);
        body.close();
        rowMethod(methods, "A row enters the window.", scope, body, exact);
        return new RowSelection(repeated(input), null);
    }

    /** Writes the words of the row into the window. */
    private void writeAdd(final JavaText body, final MethodScope scope, final RowSelection input, final String leave)
    {
        scope.local(window, "WindowIStreamBuffer", "this." + window);
        body.open("if (!" + window + ".add(in.timestampNs(i)))");
        body.line("rejectFull(" + context.text("more rows than may be kept, maxRows=" + MAX_ROWS +
            " in " + node.describe()) + ");");
        body.line(leave);
        body.close();
        body.line("final long[] words = " + window + ".words();");
        body.line("final int at = " + window + ".wordsAt();");
        final LeafResolver leaves = LeafResolver.columns(scope, input, "i");
        final StringBuilder[] nulls = new StringBuilder[nullWords()];
        for (int column = 0; column < rows.fields().size(); column++)
        {
            final Expression leaf = rows.fields().get(column).expression();
            final String word = word(leaf.type(), leaves.value(leaf));
            final String isNull = leaf.type().storage().usesNullBitmap() ? leaves.nullFlag(leaf) : null;
            body.line("words[at + " + (nullWords() + column) + "] = " +
                (isNull == null ? word : isNull + " ? 0L : " + word) + ';');
            if (isNull != null)
            {
                final int nullWord = column / Long.SIZE;
                nulls[nullWord] = nulls[nullWord] == null ? new StringBuilder() : nulls[nullWord].append(" | ");
                nulls[nullWord].append('(').append(isNull).append(" ? ").append(1L << column).append("L : 0L)");
            }
        }
        for (int i = 0; i < nulls.length; i++)
        {
            body.line("words[at + " + i + "] = " + (nulls[i] == null ? "0L" : nulls[i]) + ';');
        }
    }

    /** A value as a word that is equal for equal values: NaN has one form, and zero has no sign. */
    private static String word(final CqlType type, final String value)
    {
        return switch (type)
        {
            case FLOAT, DOUBLE -> "Double.doubleToLongBits(" + value + " + 0.0)";
            case BOOLEAN -> '(' + value + " ? 1L : 0L)";
            default -> value;
        };
    }
}
