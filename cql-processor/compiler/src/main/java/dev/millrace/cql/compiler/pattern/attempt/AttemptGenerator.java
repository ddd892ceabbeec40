package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.compiler.emit.ImportDeclarations;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.GeneratedName;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.compiler.pattern.StoredColumn;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.runtime.function.FunctionCaller;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import dev.millrace.cql.runtime.pattern.attempt.AttemptContext;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import dev.millrace.cql.runtime.pattern.attempt.AttemptRecordShape;
import dev.millrace.cql.runtime.pattern.attempt.CompensatedSum;
import dev.millrace.cql.runtime.pattern.attempt.MatchRows;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateSchema;
import dev.millrace.cql.runtime.unit.string.CharColumnInput;
import java.util.Arrays;
import java.util.List;

/**
 * Generates and compiles the class of a pattern whose attempts are records.
 *
 * <p>Not thread-safe; used for one pattern. Failure: {@link IllegalStateException} when the source text does not
 * compile, which is a defect of the generator.
 */
public final class AttemptGenerator
{
    private static final String PACKAGE = "dev.millrace.cql.generated";
    /** Placeholder for the name of a class until its source text is complete. */
    private static final String ANY_NAME = "GeneratedAttempts";
    /** Bytes per slot of the table that finds a partition. */
    private static final int SLOT_BYTES = 12;

    private final AttemptClass to;
    private final AttemptRecordLayout words;
    private final AttemptLayout layout;
    private final AttemptConditions conditions;
    private final AttemptInput input;
    private final AttemptTime time;

    /**
     * @param program   the compiled pattern
     * @param choice    matching strategy
     * @param isOrdered whether the output is ordered by time
     */
    public AttemptGenerator(final FlowNode.Match match, final PatternProgram program,
        final PatternStrategySelector choice,
        final boolean isOrdered)
    {
        to = new AttemptClass(match, program, choice, isOrdered);
        words = to.words;
        layout = to.layout;
        conditions = new AttemptConditions(to.spec, program, choice);
        input = new AttemptInput(match.input().rows(), layout, choice.timeColumn(), words);
        time = new AttemptTime(to.spec, choice, to.registers(""), words);
        final AttemptTemplateNames names = new AttemptTemplateNames(to, conditions, time);
        input.write(to);
        new TransitionGenerator(to, conditions).write();
        if (!words.isFixed)
        {
            new RegisterGenerator(to, time, names).write();
        }
        new MeasureCode(to, input, names).write();
        new AttemptScanGenerator(to, names).write();
        new TimerGenerator(to, time, names).write();
    }

    private String members()
    {
        final int[][] follow = new int[to.paths.size()][];
        final boolean[] accepts = new boolean[to.paths.size()];
        final boolean[] ends = new boolean[to.paths.size()];
        for (int i = 0; i < follow.length; i++)
        {
            follow[i] = to.paths.follow(i);
            accepts[i] = to.paths.accepts(i);
            ends[i] = to.paths.accepts(i) && follow[i].length == 0;
        }
        constant("boolean[]", "ACCEPTS", accepts);
        // With DURATION, a complete labelling wins when its time has come and not before; with ALL MATCHES, none wins.
        final boolean[] wins = to.spec.durationNs() > 0 || to.spec.allMatches() ? new boolean[accepts.length] : accepts;
        constant("boolean[]", "WINS", wins);
        final long[] winning = new long[wins.length];
        for (int i = 0; i < wins.length; i++)
        {
            for (final int next : follow[i])
            {
                winning[i] |= wins[next] ? 1L << to.program.labels()[next] : 0;
            }
        }
        constant("long[]", "WINNING", winning);
        constant("boolean[]", "EXCLUDED", to.program.excluded());
        constant("boolean[]", "ENDS", ends);
        constant("int[]", "LABELS", to.program.labels());
        constant("int[][]", "FOLLOW", follow);
        constant("String[]", "VARIABLES", to.program.variables());
        constant("int[]", "FIRST", to.paths.first());
        if (conditions.isTable())
        {
            if (words.isFixed)
            {
                constant("int[]", "FITS", conditions.fits());
            }
            else
            {
                constant(words.forks ? "long[]" : "char[]", "NEXT", conditions.table());
            }
        }
        return "  private static final long COMPLETE = " + Registers.flag(0) + ";\n" +
            "  private static final long POSITION = (long) POSITIONS << POSITION_SHIFT;\n" +
            "  private static final long NOTHING = (long) DEAD << POSITION_SHIFT;\n" +
            "  private static final long NEVER = Long.MAX_VALUE;\n" +
            fields();
    }

    private String fields()
    {
        final StringBuilder fields = new StringBuilder(to.constants.fields());
        for (int i = 0; i < layout.computed().size(); i++)
        {
            fields.append("  private ").append(LocalTypes.local(layout.computed().get(i).type())).append(" argument")
                .append(i).append(";\n  private boolean noArgument").append(i).append(";\n");
        }
        final String move = words.forks ? "long" : "int";
        return fields + input.fields() + "  private long tested;\n  private long truth;\n" +
            "  private int chainHead;\n  private int chainTail;\n  private int live;\n  private int dropped;\n" +
            "  private int[] forks = new int[16];\n" +
            "  private " + move + "[] moves = new " + move + "[16];\n" +
            (words.hasRanks ? "  private long decided;\n  private long stamp;\n  private int groupHead;\n" +
            "  private final long[] seen = new long[" + to.paths.size() + "];\n" : "") +
            (words.readsAhead ? "  private boolean isLast;\n" : "") +
            "  private final long[] blank = new long[" + words.partitionWords + "];\n" +
            "  private final long[] fresh = new long[" + words.attemptWords + "];\n";
    }

    private void constant(final String type, final String name, final Object value)
    {
        to.constants.field(type, name, value);
    }

    private String javaText()
    {
        final String shape = shape();
        final String fields = members();
        return "package " + PACKAGE + ";\n" +
            ImportDeclarations.of(CqlType.class, EventBatch.class, CharColumn.class, FunctionCaller.class,
            PartitionPredicate.class, RowRejectedException.class, Values.class, AttemptPattern.class,
            AttemptContext.class, AttemptRecordShape.class, CompensatedSum.class, MatchRows.class,
            CharColumnInput.class) +
            "public final class " + ANY_NAME + " extends AttemptPattern {\n" + fields +
            "  public " + ANY_NAME + "(final AttemptContext setup, final Object[] constants) {\n" +
            "    super(setup, new AttemptRecordShape(" + shape + "));\n" + to.constants.statements() +
            "    blank[0] = " + words.blankFlags() + ";\n" +
            (words.isRecord ? "    blank[" + words.linkAt + "] = NOTHING;\n" : "") + "  }\n" +
            "  private static long plus(final long time, final long span) {\n" +
            "    return time > Long.MAX_VALUE - span ? Long.MAX_VALUE : time + span;\n  }\n" + to.text() +
            to.terms.text() + "}\n";
    }

    /** Arguments of the constructor of the layout. */
    private String shape()
    {
        return words.partitionWords + ", " + words.partitionReferences + ", " + layout.partition().keyWords() + ", " +
            objects() + ", " + layout.partition().keyFlags() + ", " +
            keyTexts() + ", " + (words.hasRecords ? words.attemptWords : 0) + ", " +
            (words.hasRecords ? words.attemptReferences : 0) + ", " + words.hasHistory + ", " + queued() + ", " +
            "(" + to.constants.element(time.rangeNs(), "Long") + ").longValue(), " + words.isOrdered + ", " +
            (to.spec.durationNs() > 0) + ", " +
            (time.limitNs() > 0 && to.choice.forgets() && words.numberAt < 0);
    }

    /** The types of the columns of rows that are stored separately from attempts. */
    private String queued()
    {
        return words.queueAt < 0 ? "null" : to.constants.element(layout.queued().stream()
            .map(to.match.input().rows().types()::get).toArray(CqlType[]::new), "CqlType[]");
    }

    /** Number of objects of the key. */
    private long objects()
    {
        return layout.partition().keys().stream().filter(StoredColumn::isReference).count();
    }

    /** Which longs of the key are string codes. */
    private String keyTexts()
    {
        return to.constants.element(
            layout.partition().keys().stream().filter(StoredColumn::isCode).mapToInt(key -> key.index() - 1)
                .toArray(), "int[]");
    }

    /**
     * Compiles the class.
     *
     * @param maker compiles the source text
     */
    public CompiledAttempts make(final ClassCompiler maker)
    {
        final String anyText = javaText();
        final String simpleName = GeneratedName.of(anyText, ANY_NAME);
        final String text = anyText.replace(ANY_NAME, simpleName);
        final Class<?> made =
            maker.make(PACKAGE + '.' + simpleName, text, AttemptPattern.class.getClassLoader());
        try
        {
            final Object[] values = to.constants.toArray();
            return new CompiledAttempts(text, made.getConstructor(AttemptContext.class, Object[].class), values,
                state(),
                new StateSchema("pattern", List.of(), text, Arrays.asList(values)));
        }
        catch (final NoSuchMethodException failure)
        {
            throw new IllegalStateException("generated class cannot be used, class=" + simpleName, failure);
        }
    }

    /** Description of its state, for people. */
    private String state()
    {
        final int timer = time.rangeNs() > 0 ? Integer.BYTES : 0;
        final int partition =
            Long.BYTES * words.partitionWords + Integer.BYTES * words.partitionReferences + timer + SLOT_BYTES;
        return (timer == 0 ? "" : "; a timer per partition for " +
            (to.spec.durationNs() > 0 ? "DURATION" : to.spec.withinNs() > 0 ? "WITHIN" : "") +
            (to.spec.withinNs() > 0 && to.choice.greatestSpanNs() > 0 ? " and " : "") +
            (to.choice.greatestSpanNs() > 0 ? "conditions on times" : "")) + "; a partition takes about " + partition +
            " bytes" + (!words.hasRecords ? "" : (words.hasHistory ? ", each row of an attempt " : ", an attempt ") +
            (Long.BYTES * words.attemptWords + Integer.BYTES * words.attemptReferences) + " bytes" +
            (words.queueAt >= 0 ? ", and rows are kept until they are decided" :
                words.hasHistory ? "" : ", and no row is kept"));
    }
}
