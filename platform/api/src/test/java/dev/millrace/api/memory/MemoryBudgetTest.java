package dev.millrace.api.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit of all accounts, and the message when it is reached. */
@Timeout(60)
class MemoryBudgetTest
{
    private static final long MIB = 1L << 20;
    /** A step is a 4,096th of it. */
    private static final long LIMIT_BYTES = 16 * MIB;
    private static final long STEP_BYTES = 4096;

    private final ManualClock clock = new ManualClock(0);
    private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES, clock);

    private MemoryAccount open(final String rule)
    {
        return budget.open(new MemoryHolder("app", "proc", rule, "state"));
    }

    @Test
    void shouldRefuseWhatNoLongerFitsAndTakeNothingThen()
    {
        final MemoryAccount account = open("a");
        assertThat(account.reserve(LIMIT_BYTES - 10)).isTrue();
        assertThat(account.reserve(11)).isFalse();
        assertThat(account.bytes()).isEqualTo(LIMIT_BYTES - 10);
        assertThat(account.reserve(10)).as("the very last bytes").isTrue();
        assertThat(account.reserve(1)).isFalse();
        assertThat(account.isOverdrawn()).isFalse();
    }

    @Test
    void shouldLackMemoryAfterARefusalThoughALittleIsLeft()
    {
        final MemoryAccount account = open("a");
        assertThat(account.reserve(LIMIT_BYTES / 2)).isTrue();
        assertThat(account.lacksMemory()).isFalse();
        assertThat(account.reserve(LIMIT_BYTES)).isFalse();
        assertThat(account.isShort()).isFalse();
        assertThat(account.lacksMemory()).isTrue();
        assertThat(account.reserve(1)).isTrue();
        assertThat(account.lacksMemory()).isFalse();
    }

    @Test
    void shouldTakeStepsSoThatSmallGrowthDoesNotAskTheBudget()
    {
        final MemoryAccount account = open("a");
        assertThat(account.reserve(1)).isTrue();
        assertThat(budget.takenBytes()).isEqualTo(STEP_BYTES);
        assertThat(account.reserve(STEP_BYTES - 1)).isTrue();
        assertThat(budget.takenBytes()).isEqualTo(STEP_BYTES);
        assertThat(account.reserve(3 * STEP_BYTES)).as("more than a step").isTrue();
        assertThat(budget.takenBytes()).isEqualTo(4 * STEP_BYTES);
    }

    @Test
    void shouldGiveOthersWhatOneGivesBack()
    {
        final MemoryAccount first = open("a");
        final MemoryAccount second = open("b");
        assertThat(first.reserve(LIMIT_BYTES)).isTrue();
        assertThat(second.reserve(MIB)).isFalse();
        first.release(2 * MIB);
        assertThat(second.reserve(MIB)).isTrue();
        first.close();
        assertThat(budget.takenBytes()).isEqualTo(MIB);
        assertThat(second.reserve(LIMIT_BYTES - MIB)).isTrue();
        first.close();
        assertThat(budget.takenBytes()).as("closing twice gives back once").isEqualTo(LIMIT_BYTES);
    }

    @Test
    void shouldOverdrawForRowsThatAreHalfDoneAndSaySoUntilEnoughIsBack()
    {
        final MemoryAccount account = open("a");
        account.charge(LIMIT_BYTES + MIB);
        assertThat(account.isOverdrawn()).isTrue();
        assertThat(account.reserve(1)).isFalse();
        account.release(MIB + 2 * STEP_BYTES);
        assertThat(account.isOverdrawn()).isFalse();
        assertThat(account.reserve(1)).isTrue();
    }

    @Test
    void shouldRefuseRowsAlsoWhereTheirStateChargesInBetween()
    {
        final MemoryAccount account = open("a");
        int rows = 0;
        while (account.reserve(100))
        {
            account.charge(50);
            rows++;
        }
        assertThat(rows).isBetween((int)(LIMIT_BYTES / 150) - 1, (int)(LIMIT_BYTES / 150) + 1);
    }

    @Test
    void shouldNameTheLimitAndTheThreeGreatestHolders()
    {
        open("small").charge(MIB);
        open("large").charge(5 * MIB);
        open("larger").charge(3 * MIB);
        // Two workers of one rule are one holder.
        open("larger").charge(3 * MIB);
        open("middle").charge(2 * MIB);
        final MemoryAccount last = open("last");
        assertThat(last.shortage()).isEqualTo("no memory for more state, limit=16 MiB used=14 MiB greatest: " +
            "app/proc/larger/state=6 MiB, app/proc/large/state=5 MiB, app/proc/middle/state=2 MiB");
        last.charge(MIB);
        assertThat(last.shortage()).as("computed once per second").contains("used=14 MiB");
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertThat(last.shortage()).contains("used=15 MiB");
    }

    @Test
    void shouldListHoldersByWhatTheyHold()
    {
        open("a").charge(10);
        open("b").charge(20);
        open("nothing");
        assertThat(budget.usages()).extracting(usage -> usage.holder().rule() + '=' + usage.bytes())
            .containsExactly("b=20", "a=10");
    }

    @Test
    void shouldNeverGiveMoreThanTheLimitToManyThreads() throws InterruptedException
    {
        final List<MemoryAccount> accounts = new ArrayList<>();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            final MemoryAccount account = open("t" + i);
            accounts.add(account);
            threads.add(new Thread(() ->
            {
                while (account.reserve(100))
                {
                    if (account.bytes() % 700 == 0)
                    {
                        account.release(100);
                        account.charge(100);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        final long used = accounts.stream().mapToLong(MemoryAccount::bytes).sum();
        assertThat(used).isLessThanOrEqualTo(LIMIT_BYTES).isGreaterThan(LIMIT_BYTES - 4 * STEP_BYTES);
        assertThat(budget.takenBytes()).isLessThanOrEqualTo(LIMIT_BYTES);
        accounts.forEach(MemoryAccount::close);
        assertThat(budget.takenBytes()).isZero();
    }

    @Test
    void shouldRefuseNonsense()
    {
        assertThatThrownBy(() -> new MemoryBudget(0, clock)).hasMessageContaining("limitBytes=0");
        final MemoryAccount account = MemoryAccount.unlimited();
        assertThat(account.reserve(1L << 50)).isTrue();
        account.release(1L << 50);
        assertThatThrownBy(() -> account.release(1)).hasMessageContaining("more memory is released");
    }
}
