package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The comparison detects differences: cases with a damaged expectation must fail. */
@Timeout(60)
class ComparisonTest
{
    private static List<CaseRow> rows(final String... lines)
    {
        return Stream.of(lines).map(CaseRow::parse).toList();
    }

    private static boolean equal(
        final List<CaseRow> got, final List<CaseRow> want, final boolean stream, final boolean ordered)
    {
        return Comparison.difference(got, want, stream, ordered) == null;
    }

    @Test
    void shouldNetRelationsButNotStreams()
    {
        final List<CaseRow> pair = rows("1 + 5", "1 - 5", "2 + 6");
        assertThat(equal(pair, rows("2 + 6"), false, true)).isTrue();
        assertThat(equal(pair, rows("2 + 6"), true, true)).isFalse();
        assertThat(equal(rows("1 + 5", "2 - 5"), rows(), false, true)).isFalse();
    }

    @Test
    void shouldHeedOrderOnlyInsideAnInstantAndOnlyWhenOrdered()
    {
        assertThat(equal(rows("1 + 5", "1 + 6"), rows("1 + 6", "1 + 5"), true, false)).isTrue();
        assertThat(equal(rows("1 + 5", "1 + 6"), rows("1 + 6", "1 + 5"), true, true)).isFalse();
        assertThat(equal(rows("2 + 5", "1 + 6"), rows("1 + 6", "2 + 5"), true, true)).isTrue();
    }

    @Test
    void shouldCompareNumbersWithToleranceAndTellNullsAndTextsApart()
    {
        assertThat(equal(rows("1 + 1.0000001,15"), rows("1 + 1,15.0"), true, true)).isTrue();
        assertThat(equal(rows("1 + 1.00001"), rows("1 + 1"), true, true)).isFalse();
        assertThat(equal(rows("1 + 2000000001"), rows("1 + 2000000000"), true, true)).isFalse();
        assertThat(equal(rows("1 + null"), rows("1 + \"null\""), true, true)).isFalse();
        assertThat(equal(rows("1 + \"\""), rows("1 + null"), true, true)).isTrue();
        assertThat(equal(rows("1 + \"10\""), rows("1 + 10"), true, true)).isFalse();
        assertThat(equal(rows("1 + NaN"), rows("1 + NaN"), true, true)).isTrue();
        assertThat(equal(rows("1 + NaN"), rows("1 + 1.5"), true, true)).isFalse();
        assertThat(equal(rows("1 + Infinity"), rows("1 + Infinity"), true, true)).isTrue();
        assertThat(equal(rows("1 + Infinity"), rows("1 + 1.5"), true, true)).isFalse();
        assertThat(equal(rows("1 + Infinity"), rows("1 + -Infinity"), true, true)).isFalse();
    }

    @Test
    void shouldNoticeEveryDamagedLineOfEveryCase() throws Exception
    {
        int damages = 0;
        for (final Path path : ConformanceCases.given())
        {
            final CaseFile file = CaseFile.readAll(path).get(0);
            if (file.expected() == null)
            {
                continue;
            }
            final Reference reference = new Reference(file);
            final Reference.Outcome outcome = reference.run(file.arrivals());
            for (final String query : file.expected().keySet())
            {
                for (final List<CaseRow> damaged : damages(file.expected().get(query)))
                {
                    final Map<String, List<CaseRow>> expected = new LinkedHashMap<>(file.expected());
                    expected.put(query, damaged);
                    assertThat(reference.difference(file.expecting(expected), outcome)).as(path + " " + damaged)
                        .isNotNull();
                    damages++;
                }
            }
        }
        assertThat(damages).isGreaterThan(1_000);
    }

    /** One row less, one row half a millisecond later, one row of the other kind. */
    private static List<List<CaseRow>> damages(final List<CaseRow> rows)
    {
        final List<List<CaseRow>> all = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++)
        {
            final CaseRow row = rows.get(i);
            final List<CaseRow> without = new ArrayList<>(rows);
            without.remove(i);
            all.add(without);
            final List<CaseRow> late = new ArrayList<>(rows);
            late.set(i, new CaseRow(row.timeNs() + 500_000, row.kind(), row.values()));
            all.add(late);
            final List<CaseRow> flipped = new ArrayList<>(rows);
            flipped.set(i, new CaseRow(row.timeNs(), row.kind() == '+' ? '-' : '+', row.values()));
            all.add(flipped);
        }
        return all;
    }

    @Test
    void shouldReadWhatItWrites() throws Exception
    {
        for (final Path path : ConformanceCases.given())
        {
            final CaseFile file = CaseFile.readAll(path).get(0);
            final CaseFile again = CaseFile.parse(file.toYaml());
            assertThat(again.toYaml()).isEqualTo(file.toYaml());
            assertThat(again.rules()).isEqualTo(file.rules());
        }
    }
}
