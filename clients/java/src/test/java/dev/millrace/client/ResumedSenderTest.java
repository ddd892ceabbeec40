package dev.millrace.client;

import static dev.millrace.client.RunningSource.TICK;
import static dev.millrace.client.RunningSource.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams with a name: rows are kept until they are stored, and sent again after a loss. */
@Timeout(60)
class ResumedSenderTest
{
    private static final Duration LONG = Duration.ofSeconds(60);

    private RunningSource source;

    @BeforeEach
    void start() throws IOException
    {
        source = new RunningSource(TICK, true, adapter ->
        {
        });
    }

    @AfterEach
    void stop() throws IOException
    {
        source.close();
    }

    private EventSenderBuilder desk()
    {
        return EventSenderTest.to(source).stream("desk");
    }

    private static void send(final EventSender sender, final int from, final int to) throws EventSenderException
    {
        for (int row = from; row <= to; row++)
        {
            sender.addString("S" + row);
            if (row % 1_000 == 0)
            {
                sender.addNull().endRow();
            }
            else
            {
                sender.addDouble(row).endRow();
            }
        }
    }

    /** Asserts that each row was stored once and in order. */
    private void assertStored(final int count)
    {
        assertThat(source.rows.rows()).containsExactlyElementsOf(IntStream.rangeClosed(1, count).mapToObj(row ->
            "S" + row + (row % 1_000 == 0 ? "|null" : "|" + (double)row)).toList());
    }

    @Test
    void shouldLoseAndRepeatNothingWhenTheServerStoresOnlyAPartOfAFrameBeforeItEnds() throws IOException
    {
        try (EventSender sender = desk().connect())
        {
            source.rows.storeUntil(1_234);
            send(sender, 1, 3_000);
            sender.flush();
            await(() -> sender.acknowledgedRows() == 1_234);
            source.stop();
            source.rows.storeUntil(Long.MAX_VALUE);
            source.start();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(sender.acknowledgedRows()).isEqualTo(3_000);
        }
        assertStored(3_000);
        assertThat(source.rows.repeated()).as("only rows that were not stored are sent again").isZero();
    }

    @Test
    void shouldLoseAndRepeatNothingWhenTheServerEndsAgainAndAgain() throws Exception
    {
        final int count = 200_000;
        final CompletableFuture<Void> sending = CompletableFuture.runAsync(() ->
        {
            try (EventSender sender = desk().frameBytes(2_048).maxUnacknowledgedBytes(100_000).connect())
            {
                send(sender, 1, count);
            }
            catch (final EventSenderException ex)
            {
                throw new IllegalStateException(ex);
            }
        });
        for (int stop = 1; stop <= 4; stop++)
        {
            final int rows = stop * count / 8;
            await(() -> source.rows.count() >= rows);
            source.stop();
            source.start();
        }
        sending.get(60, TimeUnit.SECONDS);
        assertStored(count);
    }

    @Test
    void shouldContinueAfterTheStoredRowsWhenTheProgramStartsAgain() throws IOException
    {
        try (EventSender first = desk().connect())
        {
            assertThat(first.rows()).isZero();
            send(first, 1, 100);
        }
        try (EventSender second = desk().connect())
        {
            assertThat(second.rows()).isEqualTo(100);
            send(second, (int)second.rows() + 1, 250);
            assertThat(second.rows()).isEqualTo(250);
        }
        assertStored(250);
    }

    @Test
    void shouldBlockWhenRowsThatAreNotStoredFillItsMemory() throws Exception
    {
        final int count = 20_000;
        final int limit = 40_000;
        source.rows.reportUntil(0);
        final AtomicReference<EventSender> opened = new AtomicReference<>();
        final CompletableFuture<Void> sending = new CompletableFuture<>();
        final Thread thread = new Thread(() ->
        {
            try (EventSender sender = desk().frameBytes(1_024).maxUnacknowledgedBytes(limit).connect())
            {
                opened.set(sender);
                send(sender, 1, count);
                sending.complete(null);
            }
            catch (final EventSenderException | RuntimeException ex)
            {
                sending.completeExceptionally(ex);
            }
        });
        thread.start();
        // Rows have 14 to 15 bytes.
        await(() -> source.rows.count() > (limit - 2 * 1_024) / 15 && thread.getState() == Thread.State.TIMED_WAITING);
        assertThat(sending).isNotDone();
        assertThat(opened.get().rows()).isLessThan((limit + 1_024) / 11);
        assertThat(opened.get().acknowledgedRows()).isZero();
        source.rows.reportUntil(Long.MAX_VALUE);
        sending.get(60, TimeUnit.SECONDS);
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertStored(count);
    }

    @Test
    void shouldNotFillItsMemoryWhenTheServerDoesNotRead() throws Exception
    {
        final CompletableFuture<Void> sending = new CompletableFuture<>();
        final EventSender sender = desk().maxUnacknowledgedBytes(1 << 20).connect();
        source.suspend();
        final Thread thread = new Thread(() ->
        {
            try
            {
                send(sender, 1, 300_000);
                sending.complete(null);
            }
            catch (final EventSenderException | RuntimeException ex)
            {
                sending.completeExceptionally(ex);
            }
        });
        thread.start();
        await(() -> thread.getState() == Thread.State.TIMED_WAITING || sender.rows() > 200_000);
        assertThat(sender.rows()).as("rows of 14 bytes and more").isLessThan((1 << 20) / 14 + 10_000);
        assertThat(sending).isNotDone();
        source.resume();
        sending.get(60, TimeUnit.SECONDS);
        sender.close();
        assertStored(300_000);
    }

    @Test
    void shouldGiveUpWhenTheServerDoesNotComeBack() throws IOException
    {
        final EventSender sender = desk().timeout(Duration.ofSeconds(2)).connect();
        source.stop();
        send(sender, 1, 10);
        assertThatThrownBy(() -> sender.awaitAcknowledgements(LONG)).isInstanceOf(EventSenderException.class)
            .hasMessageStartingWith("CLN-0302").hasMessageContaining("rows=10 acknowledged=0")
            .hasMessageContaining("CLN-0201");
        sender.close();
    }

    @Test
    void shouldReportRowsThatAreNotStoredInTime() throws IOException
    {
        source.rows.reportUntil(5);
        final EventSender sender = desk().timeout(Duration.ofSeconds(2)).connect();
        send(sender, 1, 10);
        assertThat(sender.awaitAcknowledgements(Duration.ofMillis(50))).isFalse();
        assertThatThrownBy(sender::close).isInstanceOf(EventSenderException.class)
            .hasMessageStartingWith("CLN-0303").hasMessageContaining("rows=10 acknowledged=5");
    }

    @Test
    void shouldContinueAfterRejectedRowsWhenTheServerStartsAgain() throws IOException
    {
        final String tooLong = "x".repeat(17);
        try (EventSender sender = desk().connect())
        {
            sender.addString("A").addDouble(1).endRow();
            sender.addString(tooLong).addDouble(2).endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(sender.acknowledgedRows()).isEqualTo(2);
            source.stop();
            source.start();
            sender.addString("C").addDouble(3).endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(sender.acknowledgedRows()).isEqualTo(3);
            sender.addString(tooLong).addDouble(4).endRow();
        }
        try (EventSender again = desk().connect())
        {
            assertThat(again.rows()).as("the program sends the rejected row again").isEqualTo(3);
        }
        assertThat(source.rows.rows()).containsExactly("A|1.0", "C|3.0");
        assertThat(source.rows.repeated()).isZero();
    }

    @Test
    void shouldNotBlockWhenRejectedRowsFillItsMemory() throws IOException
    {
        try (EventSender sender = desk().frameBytes(1_024).maxUnacknowledgedBytes(4_096).connect())
        {
            for (int row = 1; row <= 1_000; row++)
            {
                sender.addString("x".repeat(17)).addDouble(row).endRow();
            }
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(sender.acknowledgedRows()).isEqualTo(1_000);
            source.stop();
            source.start();
            sender.addString("A").addDouble(1).endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(sender.acknowledgedRows()).isEqualTo(1_001);
        }
        assertThat(source.rows.rows()).containsExactly("A|1.0");
    }

    private static boolean awaitAll(final EventSender sender)
    {
        try
        {
            return sender.awaitAcknowledgements(LONG);
        }
        catch (final EventSenderException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void shouldContinueAfterAcknowledgedRowsWhenTheServerKnowsLowerNumbersAfterARestart() throws Exception
    {
        try (EventSender sender = desk().connect())
        {
            send(sender, 1, 10);
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            source.stop();
            source.rows.reportUntil(7);
            source.start();
            send(sender, 11, 20);
            final CompletableFuture<Boolean> acknowledged = CompletableFuture.supplyAsync(() -> awaitAll(sender));
            await(() -> source.rows.count() == 20);
            source.rows.reportUntil(Long.MAX_VALUE);
            assertThat(acknowledged.get(60, TimeUnit.SECONDS)).isTrue();
        }
        assertStored(20);
        assertThat(source.rows.repeated()).as("acknowledged rows are not sent again").isZero();
    }
}
