package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ids of producers, and the sequences that contain them. */
@Timeout(60)
class ProducersTest
{
    @Test
    void shouldGiveEachNameOneId()
    {
        final int first = Producers.id("ProducersTest/first");
        final int second = Producers.id("ProducersTest/second");
        assertThat(first).isPositive().isNotEqualTo(second).isEqualTo(Producers.id("ProducersTest/first"));
        assertThat(Producers.name(second)).isEqualTo("ProducersTest/second");
    }

    @Test
    void shouldCombineAnyProducerAndNumber()
    {
        for (final int producer : new int[] {1, 0x7FFF, 0x8000, Producers.MAX})
        {
            for (final long number : new long[] {1, 255, RowSequence.MAX_NUMBER - 1})
            {
                final long sequence = RowSequence.of(producer, number);
                assertThat(RowSequence.producer(sequence)).isEqualTo(producer);
                assertThat(RowSequence.number(sequence)).isEqualTo(number);
                assertThat(sequence + 1).isEqualTo(RowSequence.of(producer, number + 1));
            }
        }
        assertThat(RowSequence.producer(RowSequence.NONE)).isZero();
    }
}
