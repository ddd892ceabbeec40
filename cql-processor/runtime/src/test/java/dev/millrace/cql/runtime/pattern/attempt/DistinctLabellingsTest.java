package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers of labellings, compared with a map per row. */
@Timeout(60)
class DistinctLabellingsTest
{
    private static final long SEED = 20_261_128L;

    @Test
    void shouldNumberALabellingOnceARowAndNeverGiveANumberAgain()
    {
        final DistinctLabellings known = new DistinctLabellings();
        final Random random = new Random(SEED);
        final Set<Long> given = new HashSet<>();
        for (int row = 0; row < 40; row++)
        {
            known.begin();
            final Map<String, Long> ofRow = new HashMap<>();
            final int labellings = row % 4 == 0 ? 2_000 : 20;
            for (int i = 0; i < labellings * 3; i++)
            {
                final long before = random.nextInt(labellings);
                final int mark = random.nextInt(3);
                final long number = known.number(before, mark);
                final Long earlier = ofRow.put(before + "/" + mark, number);
                if (earlier == null)
                {
                    assertThat(given.add(number)).as("number %d is new, row %d, seed %d", number, row, SEED).isTrue();
                }
                else
                {
                    assertThat(number).as("labelling %d, row %d, seed %d", before, row, SEED).isEqualTo(earlier);
                }
            }
        }
    }

    @Test
    void shouldKnowWhatWasSaidOfALabellingInThisRowOnly()
    {
        final DistinctLabellings known = new DistinctLabellings();
        known.begin();
        for (int labelling = 1; labelling <= 100; labelling++)
        {
            assertThat(known.isNew(labelling, -1)).isTrue();
            assertThat(known.isNew(labelling, -2)).isTrue();
        }
        for (int labelling = 1; labelling <= 100; labelling++)
        {
            assertThat(known.isNew(labelling, -1)).isFalse();
            assertThat(known.isNew(labelling, -2)).isFalse();
        }
        known.begin();
        assertThat(known.isNew(1, -1)).isTrue();
    }

    @Test
    void shouldGoOnBehindAGivenNumber()
    {
        final DistinctLabellings known = new DistinctLabellings();
        known.begin();
        known.last(41);
        assertThat(known.number(0, 0)).isEqualTo(42);
        assertThat(known.last()).isEqualTo(42);
    }
}
