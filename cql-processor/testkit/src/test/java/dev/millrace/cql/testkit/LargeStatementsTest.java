package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.compiler.janino.ClassCache;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.compiler.split.LargeMethodSplitter;
import dev.millrace.cql.compiler.split.MethodSizes;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.UndefinedResultException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements of which one method would be too large for the JVM, or so large that the JVM never compiles it. */
@Tag("slow")
@Timeout(300)
class LargeStatementsTest
{
    private static final long SEED = 5_200;
    private static final long LARGE_STACK_BYTES = 256L << 20;
    private static final int INPUTS = 3;
    private static final int[] BATCHES = {1, 8, 64};
    private static final String SCHEMA =
        "k int, v int, b bigint, x double, c char, d boolean, o int, ts timestamp, e bigdecimal";
    private static final String[] COLUMNS = {"k", "v", "b", "x", "c", "d", "o", "ts", "e"};

    /** Statements; some read a wide view. */
    private enum Statement
    {
        FIELDS("select " + list(200, ", ", i -> "case when s.v > " + i % 7 + " and s.b < " + i +
            " then s.k * " + i + " + s.o else s.v - " + i + " end as f" + i) + " from S as s"),
        MOST_FIELDS("select " + list(1_000, ", ", i -> "s.v * " + i + " + s.b as f" + i) + " from S as s"),
        BRANCHES("select case " + list(220, " ", i -> "when s.v + s.k = " + i + " then s.b * " + i + " + s.o") +
            " else s.v end as f from S as s"),
        BRANCHES_OF_STRINGS("select case " + list(300, " ", i -> "when s.v + s.k = " + i + " then s.c || 'a" + i +
            '\'') + " else s.c end as f from S as s"),
        TERMS("select " + list(2_900, " + ", i -> "s.v * " + i % 9) + " as f from S as s"),
        SAME_TERMS("select " + list(2_900, " + ", i -> "s.v") + " as f from S as s"),
        CONDITIONS("select s.k from S as s where " + list(1_000, " or ", i -> "s.v * " + i + " = s.b + s.k")),
        GROUP("select " + list(150, ", ", i -> "sum(s.v + " + i + ") as a" + i + ", max(s.b - " + i + ") as m" + i) +
            ", s.k from S [rows 3] as s group by s.k"),
        WIDE_WINDOW("select * from w [rows 3]", 300),
        WIDE_JOIN("select " + list(200, ", ", i -> "a.w" + i + " as a" + i + ", b.w" + i + " as b" + i) +
            " from w [rows 3] as a, w [range 2] as b where a.w0 = b.w0", 200),
        WIDE_KEY("select " + list(200, ", ", i -> "s.w" + i) + ", count(*) as n, max(s.w299) as m from w [rows 3]" +
            " as s group by " + list(200, ", ", i -> "s.w" + i), 300),
        WIDE_SET("(select * from w [rows 2]) except (select * from w [range 1])", 300),
        WIDE_UNION("(select * from w [rows 2]) union all (select * from w [range 1])", 300),
        WIDE_DISTINCT("select distinct * from w [rows 3]", 300),
        WIDE_KEYED("IStream(select * from w [partition by w0 rows 2 range 3])", 300),
        WIDE_TOP("select * from w [range 2] order by w0, w1, w5, w6, w3, w8 rows 3", 300),
        WIDEST("IStream(select a.*, b.v as z from w [range 2] as a, S [range 2] as b where a.w0 = b.k)", 999);

        private final String text;
        private final int columns;

        Statement(final String text)
        {
            this(text, 0);
        }

        Statement(final String text, final int columns)
        {
            this.text = text;
            this.columns = columns;
        }

        List<Interpreter.Rule> rules()
        {
            final List<Interpreter.Rule> rules = new ArrayList<>();
            if (columns > 0)
            {
                final List<String> names = IntStream.range(0, columns).mapToObj(i -> "w" + i).toList();
                rules.add(new Interpreter.Rule("w", true, "select " + list(columns, ", ", i ->
                    "s." + COLUMNS[i % COLUMNS.length]) + " from S as s", names));
            }
            rules.add(new Interpreter.Rule("q", false, text, List.of()));
            return rules;
        }
    }

    private static String list(final int count, final String separator, final IntFunction<String> each)
    {
        return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(separator));
    }

    /** Stores the class files of one source text. */
    private static final class Kept implements ClassCache
    {
        private final Map<String, byte[]> files = new HashMap<>();

        @Override
        public Map<String, byte[]> find(final String className, final String javaText)
        {
            return null;
        }

        @Override
        public void keep(final String className, final String javaText, final Map<String, byte[]> classFiles)
        {
            files.putAll(classFiles);
        }

        @Override
        public void refused(final String className, final String javaText, final Throwable reason)
        {
            throw new IllegalStateException(reason);
        }
    }

    private static Map<String, Integer> sizes(final CompiledUnit unit)
    {
        final Kept kept = new Kept();
        final String text = unit.javaText();
        final String name = text.substring(text.indexOf("class ") + 6, text.indexOf(" extends"));
        new JaninoClassCompiler(kept).make("dev.millrace.cql.generated." + name, text,
            LargeStatementsTest.class.getClassLoader());
        final Map<String, Integer> sizes = new HashMap<>();
        kept.files.values().forEach(file -> sizes.putAll(MethodSizes.of(file)));
        return sizes;
    }

    private static void compare(final Statement statement, final EngineRunner engine, final CaseFile file)
        throws Exception
    {
        final Reference reference = new Reference(file);
        for (int i = 0; i < INPUTS; i++)
        {
            final CaseFile input = file.over(CaseGenerator.arrivals(file, SEED + i, false));
            final Map<String, List<CaseRow>> wanted;
            try
            {
                wanted = reference.run(input.arrivals()).rows();
            }
            catch (final UndefinedResultException open)
            {
                continue;
            }
            final String difference = Comparison.difference(
                engine.run(input.arrivals(), BATCHES[i]).rows().getOrDefault("q", List.of()),
                wanted.getOrDefault("q", List.of()), reference.isStream("q"), false);
            assertThat(difference).as("%s, seed %d", statement, SEED + i).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldComputeLargeStatementsByMethodsThatJavaCompiles(final Statement statement) throws Exception
    {
        final CaseFile file = new CaseFile("large", "generated", "units",
            List.of(CaseFile.input("S", false, SCHEMA)), statement.rules(), List.of(), Map.of(), false, null);
        final EngineRunner engine =
            new EngineRunner(file, new CompiledCase.Variant(CompiledCase.Mode.FLOWS, false, false));
        assertThat(engine.queriesInUnits()).isOne();
        for (final CompiledUnit unit : engine.units())
        {
            final Map<String, Integer> sizes = sizes(unit);
            sizes.keySet().removeIf(LargeMethodSplitter::isConstructor);
            assertThat(sizes).as(statement.name()).allSatisfy((method, sizeBytes) ->
                assertThat(sizeBytes).as(method).isLessThanOrEqualTo(MethodSizes.MOST_COMPILED));
        }
        final FutureTask<Void> comparison = new FutureTask<>(() ->
        {
            compare(statement, engine, file);
            return null;
        });
        // The interpreter recurses once per term.
        new Thread(null, comparison, "interpreter", LARGE_STACK_BYTES).start();
        comparison.get();
    }
}
