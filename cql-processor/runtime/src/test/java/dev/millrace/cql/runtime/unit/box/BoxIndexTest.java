package dev.millrace.cql.runtime.unit.box;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cartridge.PairBoxes;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.RingArrays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index compared with a map of all its rows. */
@Timeout(60)
class BoxIndexTest
{
    private static final int CHANGES = 20_000;

    /** Rectangles that are given; strings have none. */
    private static final PairBoxes GIVEN = new PairBoxes()
    {
        @Override
        public boolean store(final Object value, final double[] box)
        {
            if (value instanceof double[] given)
            {
                System.arraycopy(given, 0, box, 0, given.length);
            }
            return value instanceof double[];
        }

        @Override
        public boolean search(final Object value, final double distance, final double[] box)
        {
            return store(value, box);
        }
    };

    private final Map<Integer, Object> rows = new TreeMap<>();

    private static List<Integer> found(final BoxIndex index, final Object box)
    {
        final List<Integer> found = new ArrayList<>();
        final int count = index.search(GIVEN, box, Double.NaN);
        for (int i = 0; i < count; i++)
        {
            found.add(index.found(i));
        }
        return found;
    }

    private List<Integer> wanted(final double[] box)
    {
        return rows.entrySet().stream().filter(row -> !(row.getValue() instanceof double[] other) ||
            other[0] <= box[2] && other[2] >= box[0] && other[1] <= box[3] && other[3] >= box[1])
            .map(Map.Entry::getKey).toList();
    }

    private static double[] box(final Random random, final double largest)
    {
        final double x = random.nextInt(1_000);
        final double y = random.nextInt(1_000);
        return new double[] {x, y, x + random.nextDouble() * largest, y + random.nextDouble() * largest};
    }

    /** One of fifty rows has no rectangle. */
    private static Object value(final Random random)
    {
        return random.nextInt(50) == 0 ? "none" : box(random, 30);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20_261_130})
    void shouldFindRowsThatMeetARectangle(final long seed)
    {
        final Random random = new Random(seed);
        final BoxIndex index = new BoxIndex(MemoryAccount.NONE);
        for (int i = 0; i < CHANGES; i++)
        {
            final int place = random.nextInt(i < CHANGES / 2 ? 2_000 : 40);
            if (rows.remove(place) != null)
            {
                index.remove(place);
            }
            else
            {
                rows.put(place, value(random));
                index.add(place, GIVEN, rows.get(place));
            }
            final double[] search = box(random, 100);
            assertThat(found(index, search)).as("seed %d change %d", seed, i).isEqualTo(wanted(search));
        }
        assertThat(found(index, "all")).hasSize(rows.size());
        new ArrayList<>(rows.keySet()).forEach(index::remove);
        assertThat(index.all()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Integer.MAX_VALUE - 100, -50, 12_345})
    void shouldFollowARingThatGrows(final int start)
    {
        final Random random = new Random(start);
        final BoxIndex index = new BoxIndex();
        int places = RingArrays.FEWEST;
        int head = start;
        int tail = start;
        while (places <= 1_024)
        {
            if (tail - head == places)
            {
                index.grow(head, tail);
                final Map<Integer, Object> moved = new TreeMap<>();
                for (int id = head; id != tail; id++)
                {
                    moved.put(id & places * 2 - 1, rows.get(id & places - 1));
                }
                rows.clear();
                rows.putAll(moved);
                places *= 2;
            }
            if (tail - head > 0 && random.nextInt(tail - head + 1) > places * 2 / 3)
            {
                index.remove(head & places - 1);
                rows.remove(head++ & places - 1);
            }
            rows.put(tail & places - 1, value(random));
            index.add(tail & places - 1, GIVEN, rows.get(tail & places - 1));
            tail++;
            final double[] search = box(random, 200);
            assertThat(found(index, search)).as("start %d tail %d", start, tail).isEqualTo(wanted(search));
        }
    }

    @Test
    void shouldRestoreItsRows()
    {
        final Random random = new Random(7);
        final BoxIndex index = new BoxIndex();
        for (int i = 0; i < 300; i += 1 + random.nextInt(3))
        {
            rows.put(i, value(random));
            index.add(i, GIVEN, rows.get(i));
        }
        final StateOutput output = new StateOutput(1 << 20);
        index.write(output);
        final BoxIndex restored = new BoxIndex();
        restored.read(new StateInput(output.toBytes()));
        for (int i = 0; i < 100; i++)
        {
            final double[] search = box(random, 200);
            assertThat(found(restored, search)).isEqualTo(wanted(search));
        }
    }

    @Test
    void shouldIgnoreARowThatIsNotThere()
    {
        final BoxIndex index = new BoxIndex();
        index.remove(5);
        index.remove(5_000);
        assertThat(index.all()).isZero();
    }
}
