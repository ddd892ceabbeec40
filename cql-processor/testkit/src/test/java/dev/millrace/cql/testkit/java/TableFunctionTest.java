package dev.millrace.cql.testkit.java;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code TABLE( )} in FROM: a call for each row of a stream {@code [now]}, a row per element. */
@Timeout(60)
class TableFunctionTest
{
    private static final String SAMPLE = "dev.millrace.cql.testkit.java.Sample.";

    private static Rules run(final String text) throws CqlException
    {
        return new Rules().query(text.replace("Sample.", SAMPLE)).start();
    }

    @Test
    void shouldMakeARowOfEachElementInOrder() throws CqlException
    {
        final Rules run = run("RStream(select s.i as i, w.word as word, w.word.length() as n from S[now] as s, " +
            "TABLE(Sample.words@java(s.c) AS word OF char) AS w)")
            .row(1, "one two three", 1, null, null, null).row(2, null, 2, null, null, null)
            .row(3, "four", 3, null, null, null);
        assertThat(run.rows()).containsExactly(
            List.of(1, "one", 3), List.of(1, "two", 3), List.of(1, "three", 5), List.of(3, "four", 4));
        assertThat(run.rejected()).isEmpty();
    }

    @Test
    void shouldReadMembersOfTheElements() throws CqlException
    {
        final Rules run = run("RStream(select t.e.name, t.e.weight as w, e from S[now] as s, " +
            "TABLE(Sample.samples(s.c, s.i) AS e) AS t where t.e.weight <> 1)").row(1, "x", 3, null, null, null);
        assertThat(run.rows()).hasSize(2);
        assertThat(run.rows().get(0).subList(0, 2)).isEqualTo(List.of("x0", 0));
        assertThat(run.rows().get(1).subList(0, 2)).isEqualTo(List.of("x2", 2));
        assertThat(run.rows().get(1).get(2)).isInstanceOf(Sample.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "Sample.squares(s.i)                     ; [0, 1, 4]",
        "Sample.numbers(s.i)                     ; [1, 2, 3]",
        "s.c.toCharArray()                       ; [a, -, b]",
        "s.c.getBytes()                          ; [97, 45, 98]",
        "s.c.split(\"-\")                        ; [a, b]",
        "java.util.Collections.nCopies(2, s.c)   ; [a-b, a-b]",
        "s.o                                     ; [x, y]",
        "java.util.ArrayList()                   ; []",
        "case when s.i > 3 then s.o else s.o end ; [x, y]"
    })
    void shouldTakeArraysCollectionsIterablesAndStreams(final String call, final String expected) throws CqlException
    {
        final Rules run = run("RStream(select t.column_value as v from S[now] as s, TABLE(" + call + ") AS t)")
            .row(1, "a-b", 3, null, null, List.of("x", "y"));
        assertThat(run.rows().stream().map(row -> row.get(0)).toList().toString()).isEqualTo(expected);
        assertThat(run.rejected()).isEmpty();
    }

    @Test
    void shouldCallForTheRowsOfOtherCalls() throws CqlException
    {
        final Rules run = run("RStream(select w.word as word, l.letter as letter from S[now] as s, " +
            "TABLE(Sample.words(s.c) AS word) AS w, TABLE(w.word.toCharArray() AS letter) AS l " +
            "where s.i = 1 and w.word <> \"no\" and l.letter <> \"b\")")
            .row(1, "ab no c", 1, null, null, null).row(2, "ab", 2, null, null, null);
        assertThat(run.rows()).containsExactly(List.of("ab", "a"), List.of("c", "c"));
    }

    @Test
    void shouldJoinWithRelationsAndGroup() throws CqlException
    {
        final Rules run = run("IStream(select w.word as word, count(*) as n from S[now] as s, " +
            "TABLE(Sample.words(s.c) AS word) AS w, S as r where r.c = s.c group by w.word)")
            .row(1, "a b a", 1, null, null, null).row(2, "a b a", 1, null, null, null);
        assertThat(run.rows()).containsExactlyInAnyOrder(List.of("a", 2L), List.of("b", 1L), List.of("a", 4L),
            List.of("b", 2L));
    }

    @Test
    void shouldTakeTheRowsBackWhenTheRowThatAskedLeaves() throws CqlException
    {
        final Rules run = run("DStream(select w.word as word from S[now] as s, TABLE(Sample.words(s.c) AS word) AS w)")
            .row(1, "a b", 1, null, null, null).row(2, "c", 1, null, null, null);
        assertThat(run.rows()).containsExactlyInAnyOrder(List.of("a"), List.of("b"));
    }

    @Test
    void shouldKeepNullElementsAndNullTexts() throws CqlException
    {
        final Rules run = run("RStream(select t.v as v from S[now] as s, TABLE(s.o AS v OF char) AS t)")
            .row(1, null, null, null, null, Arrays.asList("a", null, "")).row(2, null, null, null, null, null);
        assertThat(run.rows()).containsExactly(
            List.of("a"), Collections.singletonList(null), Collections.singletonList(null));
    }

    /** A call that fails emits no row, not even elements that it has already returned. */
    @Test
    void shouldRejectTheRowThatAskedAndGoOn() throws CqlException
    {
        final Iterable<Object> failing = () -> new Iterator<>()
        {
            private int count;

            @Override
            public boolean hasNext()
            {
                return true;
            }

            @Override
            public Object next()
            {
                if (++count > 2)
                {
                    throw new IllegalStateException("broken");
                }
                return "x";
            }
        };
        final Rules run = run("RStream(select t.v as v from S[now] as s, TABLE(s.o AS v OF char) AS t)")
            .row(1, null, null, null, null, failing).row(2, null, null, null, null, "no collection")
            .row(3, null, null, null, null, List.of("a", 5)).row(4, null, null, null, null, List.of("good"))
            .row(5, null, null, null, null, Stream.generate(() -> "endless"))
            .row(6, null, null, null, null, new Object[]{"also", "good"});
        assertThat(run.rows()).containsExactly(List.of("good"), List.of("also"), List.of("good"));
        assertThat(run.rejected()).hasSize(4).allMatch(text -> text.startsWith("function-failed"));
        assertThat(run.rejected().get(0)).contains("TABLE t", "broken");
        assertThat(run.rejected().get(1)).contains("table=t", "java.lang.String");
        assertThat(run.rejected().get(2)).contains("java.lang.Integer");
        assertThat(run.rejected().get(3)).contains("1048576");
    }

    @Test
    void shouldRejectTheRowWhenTheCallItselfFails() throws CqlException
    {
        final Rules run = run("RStream(select t.v as v from S[now] as s, TABLE(Sample.squares(Sample.fail(s.i)) " +
            "AS v) AS t)").row(1, null, 9, null, null, null).row(2, null, 2, null, null, null);
        assertThat(run.rows()).containsExactly(List.of(0), List.of(1));
        assertThat(run.rejected()).hasSize(1);
        assertThat(run.rejected().get(0)).contains("Sample.fail", "too large");
    }

    @Test
    void shouldCloseStreams() throws CqlException
    {
        final boolean[] closed = new boolean[1];
        run("RStream(select t.v as v from S[now] as s, TABLE(s.o AS v) AS t)")
            .row(1, null, null, null, null, Stream.of("a").onClose(() -> closed[0] = true));
        assertThat(closed[0]).isTrue();
    }

    @Test
    void shouldKnowEveryTypeAfterOf() throws CqlException
    {
        final Object[][] cases = {{"int", 5}, {"bigint", 5L}, {"float", 1.5f}, {"double", 2.5}, {"boolean", true},
            {"char", "c"}, {"bigdecimal", new java.math.BigDecimal("1.5")}, {"timestamp", 7L}, {"interval", 8L},
            {"xmltype", "<a/>"}, {"object", List.of()}, {"java.util.List", List.of()}, {"byte", new byte[]{1}}};
        for (final Object[] each : cases)
        {
            final Rules run = run("RStream(select t.v as v from S[now] as s, TABLE(s.o AS v OF " + each[0] +
                ") AS t)").row(1, null, null, null, null, Collections.singletonList(each[1]));
            assertThat(run.rows()).as(each[0].toString()).containsExactly(Collections.singletonList(each[1]));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "CQL-4018 ; select t.v as v from TABLE(Sample.mixed() AS v) AS t",
        "CQL-4018 ; RStream(select t.v as v from TABLE(Sample.mixed() AS v) AS t, S[now] as s)",
        "CQL-4019 ; select t.v as v from S as s, TABLE(Sample.words(s.c) AS v) AS t",
        "CQL-4019 ; select t.v as v from S[range 5] as s, TABLE(Sample.words(s.c) AS v) AS t",
        "CQL-3014 ; RStream(select t.v as v from S[now] as s, TABLE(s.c AS v) AS t)",
        "CQL-3014 ; RStream(select t.v as v from S[now] as s, TABLE(null AS v) AS t)",
        "CQL-3014 ; RStream(select t.v as v from S[now] as s, TABLE(Sample.map() AS v) AS t)",
        "CQL-3014 ; RStream(select t.v as v from S[now] as s, TABLE(s.i + 1 AS v) AS t)",
        "CQL-3015 ; RStream(select t.v as v from S[now] as s, TABLE(Sample.words(s.c) AS v OF int) AS t)",
        "CQL-3015 ; RStream(select t.v as v from S[now] as s, TABLE(Sample.samples(s.c, 1) AS v OF char) AS t)",
        "CQL-3015 ; RStream(select t.v as v from S[now] as s, TABLE(Sample.samples(s.c, 1) AS v OF java.util.List) " +
            "AS t)",
        "CQL-2017 ; RStream(select t.v as v from S[now] as s, TABLE(Sample.words(s.c) AS v OF text) AS t)",
        "CQL-2002 ; RStream(select t.w as v from S[now] as s, TABLE(Sample.words(s.c) AS v) AS t)",
        "CQL-2006 ; RStream(select s.i as v from S[now] as s, TABLE(Sample.words(s.c) AS v) AS s)",
        "CQL-4001 ; RStream(select t.v as v from S[now] as s, TABLE(Sample.words(max(s.c)) AS v) AS t)",
        "CQL-2015 ; RStream(select t.v as v from S[now] as s, TABLE(words@jdbc(s.c) AS v) AS t)",
        "CQL-7001 ; select t.v as v from S[now] as s left outer join TABLE(Sample.words(s.c) AS v) AS t on t.v = s.c"
    })
    void shouldRefuse(final String code, final String text)
    {
        final CqlProblem problem = new Rules().query(text.replace("Sample.", SAMPLE)).problem();
        assertThat(problem.code()).as(problem.toString()).isEqualTo(code);
        assertThat(problem.line()).as(problem.toString()).isEqualTo(1);
    }
}
