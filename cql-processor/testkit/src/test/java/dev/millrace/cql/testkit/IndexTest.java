package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many statements of many forms over one stream: downstream of an index, each emits the rows that the interpreter
 * computes.
 */
@Tag("slow")
@Timeout(300)
class IndexTest
{
    /** C is replaced by a string, N by an integer, D by another number. */
    private static final List<String> FORMS = List.of(
        "select c, d from S where c = C and d > D",
        "select c, i + N as x from S where c = C",
        "select i, l from S where i = N and d <= D",
        "select l from S where l = N and i >= N",
        "select d from S where d = D and c >= C",
        "select d, i from S where d > D and i < N",
        "select i from S where i between N and N",
        "select l, c from S where l >= N and l < N",
        "select d from S where D < d and d <= D",
        "select i from V where c = C and d < D",
        "select x, c from W where x = N and c = C",
        "select i / l as r from S where c = C and d >= D",
        "select i from S where c = C and i / l > N",
        "select i from S where i = N or c = C",
        "select d from S where c is null and d > D",
        "select c, sum(i) as s, count(*) as n from S where c = C and i > N group by c",
        "select count(*) as n, N as x from S where i = N and d > D",
        "IStream(select sum(d) as s, N as x from S[range 4 milliseconds] where i = N and c >= C)",
        "select T.a as a, T.b as b from V MATCH_RECOGNIZE (PARTITION BY c MEASURES A.i as a, B.i as b ALL MATCHES " +
            "PATTERN (A B) DEFINE A AS A.i = N, B AS B.d > D) as T",
        "select T.a as a, T.b as b from W MATCH_RECOGNIZE (MEASURES A.x as a, B.x as b " +
            "PATTERN (A B) DEFINE B AS B.x > A.x) as T where T.b > N");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldPutOutWhatEachStatementSays(final long block) throws CqlException
    {
        int gated = 0;
        for (long seed = block * 1000; seed < block * 1000 + 10; seed++)
        {
            gated += compare(seed);
        }
        assertThat(gated).as("statements behind an index of block %d", block).isGreaterThan(300);
    }

    private static int compare(final long seed) throws CqlException
    {
        final Random random = new Random(seed);
        return (int)ManyStatements.check(seed, random, rules(random)).pipelines().stream()
            .map(PipelinePlan::indexPredicate).filter(Objects::nonNull).count();
    }

    private static List<Interpreter.Rule> rules(final Random random)
    {
        final List<Interpreter.Rule> rules = new ArrayList<>();
        rules.add(new Interpreter.Rule("V", true, "select c, i, l, d from S where d < 4.5", List.of()));
        rules.add(new Interpreter.Rule("W", true, "select c, i + 1 as x from S where c = 'b'", List.of()));
        for (int i = 0; i < 60; i++)
        {
            rules.add(new Interpreter.Rule("q" + rules.size(), false,
                filled(FORMS.get(random.nextInt(FORMS.size())), random), List.of()));
        }
        return rules;
    }

    /** Replaces each single capital letter by a different literal. */
    private static String filled(final String form, final Random random)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < form.length(); i++)
        {
            final boolean isAlone = (i == 0 || !isPart(form.charAt(i - 1))) &&
                (i == form.length() - 1 || !isPart(form.charAt(i + 1)));
            final char letter = form.charAt(i);
            text.append(!isAlone ? letter : letter == 'C' ? "'" + (char)('a' + random.nextInt(5)) + "'" :
                letter == 'N' ? "" + random.nextInt(6) : letter == 'D' ? "" + random.nextInt(11) / 2.0 : letter);
        }
        return text.toString();
    }

    private static boolean isPart(final char letter)
    {
        return Character.isLetterOrDigit(letter) || letter == '_' || letter == '.';
    }
}
