package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Numbered trades; for each trade, its owner emits the state of the symbol. Part of {@link SharedWorkIT}; not
 * thread-safe.
 */
final class SharedTrades
{
    private static final int TRADES = 20_000;
    private static final int CHUNK = 200;
    private static final int IN_FLIGHT = 5_000;
    private static final int SYMBOLS = SharedWorkIT.SYMBOLS;

    private final long seed = Long.getLong("seed", 20_261_123L);
    private final Random random = new Random(seed);
    private final long[] sent = new long[SYMBOLS];
    private final List<SharedWorkMember> members;
    private final SharedWorkMember victim;
    private final List<SharedWorkMember> survivors;
    /** Number of the first symbol; each run has its own symbols, without previous state. */
    private final int first;
    /** Rows emitted before this run. */
    private final Map<SharedWorkMember, Integer> earlier = new HashMap<>();
    private int all;
    /** Rows of the victim before the others continued without it. */
    private int ofDead;

    /** The fault of the victim. */
    interface Fault
    {
        void begin(SharedWorkMember member) throws Exception;

        /** Ends the fault and waits until the victim has rejoined. */
        void end(SharedWorkMember member) throws Exception;

        /** Maximum time in which the survivors may be unable to accept rows. */
        long longestGapMs();

        /** Maximum number of batches in progress after the last check of the lease. */
        int batchesInHand();
    }

    /**
     * @param members members that run the application
     * @param victim  the member with the fault
     * @param first   number of the first symbol
     * @throws IOException when the emitted rows cannot be read
     */
    SharedTrades(final List<SharedWorkMember> members, final SharedWorkMember victim, final int first)
        throws IOException
    {
        this.first = first;
        this.members = members;
        for (final SharedWorkMember each : members)
        {
            earlier.put(each, each.rows("known").size());
        }
        this.victim = victim;
        survivors = members.stream().filter(each -> each != victim).toList();
        System.out.println("seed=" + seed);
    }

    /** Returns the rows of this run. */
    private List<long[]> rows(final SharedWorkMember member) throws IOException
    {
        final List<long[]> known = member.rows("known");
        return known.subList(earlier.get(member), known.size());
    }

    private int symbol(final long[] row)
    {
        return (int)row[0] - first;
    }

    private int come() throws IOException
    {
        int rows = 0;
        for (final SharedWorkMember each : members)
        {
            rows += rows(each).size();
        }
        return rows;
    }

    /** All rows of a symbol are sent to one of the survivors. */
    private void send() throws Exception
    {
        final StringBuilder[] lines = {new StringBuilder(), new StringBuilder()};
        for (int i = 0; i < CHUNK; i++)
        {
            final int symbol = random.nextInt(SYMBOLS);
            sent[symbol]++;
            lines[symbol % 2].append('S').append(first + symbol).append(',').append(sent[symbol]).append('\n');
        }
        all += CHUNK;
        survivors.get(0).send("tradesIn", lines[0].toString());
        survivors.get(1).send("tradesIn", lines[1].toString());
        SharedWorkMember.await("rows of trades, seed=" + seed, () -> come() > all - IN_FLIGHT);
    }

    /** Sends rows, causes the fault, sends during it and after its end; checks the output. */
    void run(final Fault fault) throws Exception
    {
        while (all < TRADES)
        {
            send();
        }
        SharedWorkMember.await("each row, seed=" + seed, () -> come() == all);
        assertThat(rows(victim)).as("rows of the one that will be lost").isNotEmpty();
        final Map<SharedWorkMember, Integer> logged = new HashMap<>();
        for (final SharedWorkMember each : survivors)
        {
            logged.put(each, each.log().length());
        }
        final int loss = all + TRADES / 4;
        long gapNs = 0;
        while (all < 2 * TRADES)
        {
            final long startNs = System.nanoTime();
            send();
            gapNs = Math.max(gapNs, System.nanoTime() - startNs);
            if (all == loss)
            {
                fault.begin(victim);
                ofDead = rows(victim).size();
            }
        }
        System.out.printf("no room for rows for %d ms at most%n", gapNs / 1_000_000);
        assertThat(gapNs / 1_000_000).as("a gap of survivors, ms").isLessThan(fault.longestGapMs());
        SharedWorkMember.await("the rows of the survivors, seed=" + seed, () -> distinct() == all);
        for (final SharedWorkMember each : survivors)
        {
            assertThat(each.log().substring(logged.get(each))).as(each.name()).containsPattern(
                "CLU-0401 .*, channel=\\S*trades epoch=\\d+ members=2 .*(begunEmpty|cameBack)=[1-9].*starts empty");
        }
        fault.end(victim);
        final int late = rows(victim).size() - ofDead;
        assertThat(late).as("rows that it puts out although the others went on without it")
            .isLessThanOrEqualTo(fault.batchesInHand() * EventBatch.CAPACITY);
        ofDead += late;
        final int back = all;
        while (rows(victim).size() < ofDead + TRADES / 4)
        {
            send();
            assertThat(all).as("rows before the one that is back has its part").isLessThan(back + 20 * TRADES);
        }
        SharedWorkMember.await("the rows of all, seed=" + seed, () -> distinct() == all);
        check();
    }

    private int distinct() throws IOException
    {
        final boolean[][] known = new boolean[SYMBOLS][];
        for (int symbol = 0; symbol < SYMBOLS; symbol++)
        {
            known[symbol] = new boolean[(int)sent[symbol] + 1];
        }
        int count = 0;
        for (final SharedWorkMember each : members)
        {
            for (final long[] row : rows(each))
            {
                count += known[symbol(row)][(int)row[3]] ? 0 : 1;
                known[symbol(row)][(int)row[3]] = true;
            }
        }
        return count;
    }

    private void check() throws IOException
    {
        final List<TreeMap<Long, long[]>> living = new ArrayList<>();
        for (int symbol = 0; symbol < SYMBOLS; symbol++)
        {
            living.add(new TreeMap<>());
        }
        int twice = 0;
        for (int member = 0; member < members.size(); member++)
        {
            final List<long[]> rows = rows(members.get(member));
            final boolean isVictim = members.get(member) == victim;
            twice += isVictim ? ofDead : 0;
            checkOrder(isVictim ? rows.subList(0, ofDead) : List.of());
            final List<long[]> after = isVictim ? rows.subList(ofDead, rows.size()) : rows;
            checkOrder(after);
            for (final long[] row : after)
            {
                final long[] owned = Arrays.copyOf(row, row.length + 1);
                owned[row.length] = member;
                assertThat(living.get(symbol(row)).put(row[3], owned)).as("a row of the living once, symbol=" +
                    row[0] + " seq=" + row[3] + " seed=" + seed).isNull();
            }
        }
        int moves = 0;
        for (final TreeMap<Long, long[]> rows : living)
        {
            moves += checkState(rows);
            twice += rows.size();
        }
        System.out.printf("rows=%,d processed twice=%d by the lost one and its successors, partitions' symbols that " +
            "moved=%d%n", all, twice - all, moves);
        assertThat(moves).as("symbols that moved").isPositive();
    }

    /** Checks that the rows of a symbol emitted by one process are in ascending order. */
    private void checkOrder(final List<long[]> rows)
    {
        final long[] last = new long[SYMBOLS];
        for (final long[] row : rows)
        {
            assertThat(row[3]).as("order of symbol=" + row[0] + " seed=" + seed)
                .isGreaterThan(last[symbol(row)]);
            last[symbol(row)] = row[3];
        }
    }

    /**
     * Checks that an owner knows all rows from its first row on, and that it begins without state or with the previous
     * owner's state.
     */
    private int checkState(final TreeMap<Long, long[]> rows)
    {
        int moves = 0;
        long[] before = null;
        for (final long[] row : rows.values())
        {
            final String what = "symbol=" + row[0] + " seq=" + row[3] + " seed=" + seed;
            assertThat(row[1]).as("what it knows is without gap, " + what).isEqualTo(row[3] - row[2] + 1);
            final boolean isNext = before != null && before[3] == row[3] - 1 && before[4] == row[4];
            if (isNext && row[2] != row[3])
            {
                assertThat(row[2]).as("it goes on with what it began with, " + what).isEqualTo(before[2]);
            }
            if (!isNext)
            {
                assertThat(row[2] == row[3] || before != null && before[3] == row[3] - 1 && row[2] == before[2])
                    .as("it begins empty or goes on where the last one was, " + what).isTrue();
                moves += before == null ? 0 : 1;
            }
            before = row;
        }
        return moves;
    }
}
