package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that are equal except for a value run as one, and each emits the same rows as alone. */
@Tag("slow")
@Timeout(300)
class FamilyTest
{
    /** C is replaced by a string, N by a number. */
    private static final List<String> FORMS = List.of(
        "select c, d, i from S where c = C",
        "select C as t, d, l from S where c = C and d > 1.0",
        "select i, d, c from S where i = N and c is not null",
        "select l, N as n from S where l = N",
        "select i + l as x from V where c = C",
        "IStream(select C as t, sum(d) as s, count(*) as n from S[range 5 milliseconds] where c = C)",
        "select sum(d) / sum(i) as v, count(d) as n, avg(i) as a from S[range 9 milliseconds] where c = C",
        "select i, sum(d) as s, count(l) as n from S[range 7 milliseconds] where i = N group by i having count(*) > 1",
        "IStream(select l, avg(d) as a from S[range 3 milliseconds] where l = N and i < 3 group by l)",
        "IStream(select C as t, sum(d) as s, sum(i) as n from S[partition by c rows 3] where c = C)",
        "select count(*) as n, sum(l) as s, avg(d) as a from S[partition by i rows 20] where i = N",
        "select c, count(*) as n, sum(d) as s from V[range 6 milliseconds] where c = C group by c",
        "IStream(select sum(d) as s, N as n from S[range 4 milliseconds] where i = N and c = 'a')");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldPutOutWhatEachStatementSays(final long block) throws CqlException
    {
        int families = 0;
        for (long seed = block * 1000; seed < block * 1000 + 25; seed++)
        {
            families += compare(seed);
        }
        assertThat(families).as("families of block %d", block).isGreaterThan(20);
    }

    private static int compare(final long seed) throws CqlException
    {
        final Random random = new Random(seed);
        return (int)ManyStatements.check(seed, random, rules(random)).pipelines().stream()
            .flatMap(pipeline -> pipeline.roots().stream()).filter(FamilyTest::hasFamily).count();
    }

    private static boolean hasFamily(final Operator operator)
    {
        return operator instanceof Operator.Family || operator.consumers().stream().anyMatch(FamilyTest::hasFamily);
    }

    private static List<Interpreter.Rule> rules(final Random random)
    {
        final List<Interpreter.Rule> rules = new ArrayList<>();
        rules.add(new Interpreter.Rule("V", true, "select c, i, l, d from S where d is not null", List.of()));
        final int forms = 1 + random.nextInt(4);
        for (int form = 0; form < forms; form++)
        {
            final String text = FORMS.get(random.nextInt(FORMS.size()));
            for (int i = random.nextInt(6); i >= 0; i--)
            {
                final String query = text.replace("C", "'" + (char)('a' + random.nextInt(5)) + "'")
                    .replace("N", "" + random.nextInt(6));
                rules.add(new Interpreter.Rule("q" + rules.size(), false, query, List.of()));
            }
        }
        return rules;
    }

    @Test
    void shouldNotTakeDifferentStatementsTogether() throws CqlException
    {
        final List<Interpreter.Rule> rules = List.of(
            new Interpreter.Rule("a", false, "select d from S where c = 'a'", List.of()),
            new Interpreter.Rule("b", false, "select d, i from S where c = 'b'", List.of()),
            new Interpreter.Rule("x", false, "select d from S where i = 1", List.of()),
            new Interpreter.Rule("y", false, "select d from S where c = 'b' and d > 1.0", List.of()),
            new Interpreter.Rule("z", false, "select d from S where c > 'b'", List.of()));
        final EngineRunner engine = new EngineRunner(List.of(ManyStatements.INPUT), rules,
            new CompiledCase.Variant(CompiledCase.Mode.DEFAULT, false, true));
        assertThat(engine.plan().pipelines().get(0).roots()).hasSize(5).noneMatch(FamilyTest::hasFamily);
    }
}
