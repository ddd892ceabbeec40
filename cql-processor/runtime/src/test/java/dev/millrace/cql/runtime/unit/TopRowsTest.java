package dev.millrace.cql.runtime.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.unit.string.DecodedStrings;
import dev.millrace.cql.runtime.unit.string.UnitStrings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** First rows of partitions, compared with a sorted list of all rows. Seeds are fixed. */
@Tag("slow")
@Timeout(180)
class TopRowsTest
{
    private static final int INSTANTS = 4_000;
    private static final int PARTS = 3;

    private final StringTable codes = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 12, 1 << 12);
    private final List<Entry> all = new ArrayList<>();
    private final List<Entry> shown = new ArrayList<>();
    private final Random random = new Random(20_261_124);
    private int arrivals;

    /** A row in the model. */
    private record Entry(int row, int part, String text, int number, int arrival)
    {
        private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::text).reversed()
            .thenComparing(Entry::number).thenComparing(Entry::arrival);
    }

    private void enter(final TopRows top, final int numbers)
    {
        final int part = random.nextInt(PARTS);
        final String text = String.valueOf((char)('a' + random.nextInt(3)));
        final int number = random.nextInt(numbers);
        final int code = codes.code(text);
        top.key[0] = code;
        top.key[1] = number;
        if (!top.accepts(part))
        {
            all.add(new Entry(-1, part, text, number, arrivals++));
            return;
        }
        final int row = top.rows.take();
        top.rows.words[row * top.rows.width] = code;
        top.enter(part, row);
        all.add(new Entry(row, part, text, number, arrivals++));
    }

    private List<Entry> first(final int limit)
    {
        final List<Entry> first = new ArrayList<>();
        for (int part = 0; part < PARTS; part++)
        {
            final int of = part;
            all.stream().filter(entry -> entry.part() == of).sorted(Entry.ORDER).limit(limit).forEach(first::add);
        }
        return first;
    }

    private void settle(final TopRows top, final int limit)
    {
        final List<Entry> before = new ArrayList<>(shown);
        top.settle();
        final List<Integer> left = new ArrayList<>();
        for (int i = top.next(-1, false); i >= 0; i = top.next(i, false))
        {
            left.add(top.row(i));
            assertThat(codes.string((int)top.rows.words[top.row(i) * top.rows.width])).isIn("a", "b", "c");
        }
        final List<Integer> entered = new ArrayList<>();
        for (int i = top.next(-1, true); i >= 0; i = top.next(i, true))
        {
            entered.add(top.row(i));
        }
        top.clear();
        codes.endOfBatch();
        final List<Entry> now = first(limit);
        assertThat(left).containsExactlyInAnyOrderElementsOf(
            before.stream().filter(entry -> !now.contains(entry)).map(Entry::row).toList());
        assertThat(entered).containsExactlyInAnyOrderElementsOf(
            now.stream().filter(entry -> !before.contains(entry)).map(Entry::row).toList());
        shown.clear();
        shown.addAll(now);
    }

    @ParameterizedTest
    @CsvSource({"1, 20, false", "3, 400, false", "10, 2000, false", "2, 0, true", "10, 0, true"})
    void shouldShowTheFirstRows(final int limit, final int most, final boolean isGrowing)
    {
        final UnitStrings texts = new UnitStrings(codes, new DecodedStrings(codes, MemoryAccount.NONE));
        final TopRows top = new TopRows(
            new TermOrder(new byte[] {TermOrder.TEXT_DESCENDING, TermOrder.LONG}, texts, null), 1,
            new CodeColumns(new int[] {0}, texts, new int[0], null), limit, isGrowing, 1 << 20, MemoryAccount.NONE);
        final int numbers = isGrowing ? 1_000_000 : 50;
        for (int instant = 0; instant < INSTANTS; instant++)
        {
            for (int i = random.nextInt(4); i >= 0; i--)
            {
                enter(top, numbers);
            }
            while (!isGrowing && all.size() > 0 && (all.size() > most || random.nextInt(3) == 0))
            {
                // Mostly the oldest, as in a window, and often the best.
                final int index = random.nextInt(3) > 0 ? 0 : random.nextInt(all.size());
                final Entry gone = random.nextInt(4) == 0 ? all.stream().min(Entry.ORDER).orElseThrow() :
                    all.get(index);
                all.remove(gone);
                assertThat(top.leave(gone.row())).isEqualTo(gone.part());
            }
            if (isGrowing)
            {
                all.retainAll(first(limit));
            }
            settle(top, limit);
        }
        while (!all.isEmpty() && !isGrowing)
        {
            top.leave(all.remove(0).row());
        }
        settle(top, limit);
        assertThat(isGrowing || top.rows.size() == 0 && codes.size() == 0).isTrue();
    }
}
