package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TimedQueueTest
{
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldGiveRowsBackInOrderWhereverItGrows(final long seed)
    {
        final Random random = new Random(seed);
        final TimedQueue queue = new TimedQueue(null, MemoryAccount.NONE);
        final Deque<Integer> expected = new ArrayDeque<>();
        int next = 0;
        for (int step = 0; step < 400; step++)
        {
            final boolean grows = random.nextInt(5) > 1;
            for (int i = random.nextInt(step < 100 ? 20 : 900); i >= 0; i--)
            {
                if (grows)
                {
                    queue.give(next, next * 10L);
                    expected.add(next++);
                }
                else if (!expected.isEmpty())
                {
                    assertThat(queue.headNs()).isEqualTo(expected.peek() * 10L);
                    assertThat(queue.poll()).isEqualTo(expected.poll());
                }
            }
            assertThat(queue.size()).isEqualTo(expected.size());
            final List<Integer> rows = new ArrayList<>();
            for (int i = 0; i < queue.size(); i++)
            {
                rows.add(queue.row(i));
                assertThat(queue.timeNs(i)).isEqualTo(queue.row(i) * 10L);
            }
            assertThat(rows).isEqualTo(List.copyOf(expected));
        }
        assertThat(expected.size()).isGreaterThan(TimedQueue.CHUNK_ROWS * 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 700, 1024, 5000})
    void shouldKeepChunksWhenItGrows(final int gone)
    {
        final TimedQueue queue = new TimedQueue(null, MemoryAccount.NONE);
        for (int i = 0; i < gone; i++)
        {
            queue.give(i, i);
        }
        for (int i = 0; i < gone; i++)
        {
            queue.poll();
        }
        Set<int[]> before = Set.of();
        for (int i = 0; i < 100_000; i++)
        {
            queue.give(i, i);
            final Set<int[]> now = Collections.newSetFromMap(new IdentityHashMap<>());
            if (queue.size() >= TimedQueue.CHUNK_ROWS && Integer.bitCount(queue.size() - 1) == 1)
            {
                for (final int[] chunk : queue.chunks())
                {
                    now.add(chunk);
                }
                assertThat(now.containsAll(before)).as("chunks stay, size=%d", queue.size()).isTrue();
                now.remove(null);
                before = now;
            }
        }
    }
}
