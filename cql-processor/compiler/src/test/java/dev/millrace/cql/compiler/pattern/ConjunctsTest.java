package dev.millrace.cql.compiler.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression.Aggregate;
import dev.millrace.cql.plan.expression.PatternExpression.Classifier;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.expression.PatternExpression.Navigation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Leaves of two conditions that {@link Conjuncts} normalizes to equal expressions have the same value for each row and
 * each partial match: tried for all matches of up to three rows over three variables.
 */
@Timeout(60)
class ConjunctsTest
{
    private static final int VARIABLES = 3;
    private static final int MAX_ROWS = 3;
    /** The row before the match, its rows, the current row; all differ. */
    private static final List<Integer> VALUES = List.of(10, 20, 30, 40, 50);

    private static List<Expression> leaves()
    {
        final List<Expression> leaves = new ArrayList<>();
        for (long variables = 1; variables < 1L << VARIABLES; variables++)
        {
            for (int offset = 0; offset < 2; offset++)
            {
                for (int back = 0; back < 2; back++)
                {
                    leaves.add(new Navigation(variables, End.FIRST, offset, back, -1, true, 0, CqlType.INT));
                    leaves.add(new Navigation(variables, End.LAST, offset, back, -1, true, 0, CqlType.INT));
                }
            }
            leaves.add(new Aggregate(variables, "count", List.of(), false, true, CqlType.BIGINT));
            leaves.add(new Classifier(variables, true));
            leaves.add(new Classifier(variables, End.FIRST, 0, 0, -1, true));
            leaves.add(new Classifier(variables, End.LAST, 1, 0, -1, true));
        }
        return leaves;
    }

    /** All labels of the rows of a match before the current row. */
    private static List<List<Integer>> matches()
    {
        final List<List<Integer>> all = new ArrayList<>(List.of(List.of()));
        for (int i = 0; i < all.size(); i++)
        {
            for (int label = 0; all.get(i).size() < MAX_ROWS && label < VARIABLES; label++)
            {
                final List<Integer> longer = new ArrayList<>(all.get(i));
                longer.add(label);
                all.add(longer);
            }
        }
        return all;
    }

    /** The value of a leaf when the current row has a label, by the definition. */
    private static Object value(final Expression leaf, final List<Integer> match, final int label)
    {
        final List<Integer> labels = new ArrayList<>(match);
        labels.add(label);
        if (leaf instanceof Aggregate count)
        {
            return rows(labels, count.variables()).size();
        }
        if (leaf instanceof Classifier classifier)
        {
            final List<Integer> rows = rows(labels, classifier.variables());
            final int row = classifier.end() == End.FIRST ? 0 : rows.size() - 1 - classifier.offset();
            return row < 0 || row >= rows.size() ? null : labels.get(rows.get(row));
        }
        final Navigation navigation = (Navigation)leaf;
        final List<Integer> rows = rows(labels, navigation.variables());
        final int index = navigation.end() == End.FIRST ? navigation.offset() : rows.size() - 1 - navigation.offset();
        return index < 0 || index >= rows.size() ? null : VALUES.get(1 + rows.get(index) - navigation.back());
    }

    private static List<Integer> rows(final List<Integer> labels, final long variables)
    {
        return IntStream.range(0, labels.size()).filter(i -> (variables & 1L << labels.get(i)) != 0).boxed().toList();
    }

    @Test
    void shouldWriteLeavesAlikeOnlyWhenTheirValuesAre()
    {
        final List<List<Integer>> matches = matches();
        int alike = 0;
        for (int one = 0; one < VARIABLES; one++)
        {
            for (int other = 0; other < VARIABLES; other++)
            {
                for (final Expression left : leaves())
                {
                    for (final Expression right : leaves())
                    {
                        if (one == other || !Conjuncts.ofRow(left, one).equals(Conjuncts.ofRow(right, other)))
                        {
                            continue;
                        }
                        alike++;
                        for (final List<Integer> match : matches)
                        {
                            final Object value = value(left, match, one);
                            final Object otherValue = value(right, match, other);
                            assertThat(Objects.equals(value, otherValue)).as("%s of %s and %s of %s after %s: %s, %s",
                                left, one, right, other, match, value, otherValue).isTrue();
                        }
                    }
                }
            }
        }
        assertThat(alike).as("leaves written alike").isGreaterThan(100);
    }
}
