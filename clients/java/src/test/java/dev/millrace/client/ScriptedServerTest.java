package dev.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sender and servers that are slow, broken or hostile. */
@Tag("slow")
@Timeout(180)
class ScriptedServerTest
{
    private static final Duration LONG = Duration.ofMinutes(30);

    private static EventSenderBuilder desk(final ScriptedServer server)
    {
        return EventSenderTest.to(server.port()).stream("desk");
    }

    /** Acknowledgements arrive before, while and after the sender begins to wait for them. */
    @Test
    void shouldReturnAsSoonAsTheLastRowIsAcknowledged() throws IOException
    {
        final int rounds = 8_000;
        try (ScriptedServer server = new ScriptedServer((in, socket) ->
        {
            ScriptedServer.accept(in, socket);
            for (long rows = 0; rows < rounds;)
            {
                final int more = ScriptedServer.readFrame(in);
                rows += more;
                if (more > 0)
                {
                    socket.getOutputStream().write(ScriptedServer.acknowledgement(rows));
                }
            }
        }); EventSender sender = desk(server).connect())
        {
            for (int row = 1; row <= rounds; row++)
            {
                sender.addString("A").addDouble(row).endRow();
                sender.flush();
                final long beginNs = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(row % 200);
                while (System.nanoTime() - beginNs < 0)
                {
                    Thread.onSpinWait();
                }
                assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
                assertThat(sender.acknowledgedRows()).isEqualTo(row);
            }
        }
    }

    @Test
    void shouldPauseBeforeItConnectsAgainWhenTheServerEndsEachConnection() throws IOException
    {
        try (ScriptedServer server = ScriptedServer.endingEachConnection())
        {
            final EventSender sender = desk(server).timeout(Duration.ofSeconds(6)).connect();
            final long beginNs = System.nanoTime();
            sender.addString("A").addDouble(1).endRow();
            do
            {
                assertThat(sender.awaitAcknowledgements(Duration.ofSeconds(1))).isFalse();
            }
            while (server.connections() < 2);
            server.assertPauses(System.nanoTime() - beginNs);
            assertThatThrownBy(sender::close).isInstanceOf(EventSenderException.class);
        }
    }

    @Test
    void shouldGiveUpWhenTheServerEndsEachConnectionAndStoresNothing() throws IOException
    {
        try (ScriptedServer server = ScriptedServer.endingEachConnection())
        {
            final EventSender sender = desk(server).timeout(Duration.ofSeconds(2)).connect();
            sender.addString("A").addDouble(1).endRow();
            assertThatThrownBy(() -> sender.awaitAcknowledgements(LONG)).hasMessageStartingWith("CLN-0302")
                .hasMessageContaining("it ends each connection");
            sender.close();
        }
    }

    @Test
    void shouldGiveUpInTimeWhenTheServerRespondsByteByByte() throws IOException
    {
        final ScheduledExecutorService bytes = Executors.newSingleThreadScheduledExecutor();
        try (ScriptedServer server = new ScriptedServer((in, socket) ->
        {
            socket.getOutputStream().write(new byte[] {1, 0, 4});
            bytes.scheduleAtFixedRate(() ->
            {
                try
                {
                    socket.getOutputStream().write('x');
                }
                catch (final IOException ex)
                {
                    throw new IllegalStateException(ex);
                }
            }, 0, 50, TimeUnit.MILLISECONDS);
            in.readAllBytes();
        }))
        {
            assertThatThrownBy(() -> desk(server).timeout(Duration.ofSeconds(3)).connect())
                .hasMessageStartingWith("CLN-0202").hasMessageContaining("the time-out of the sender has elapsed");
        }
        finally
        {
            bytes.shutdownNow();
        }
    }

    @Test
    void shouldNotAcceptATruncatedOrNegativeResponse() throws IOException
    {
        try (ScriptedServer server = new ScriptedServer((in, socket) ->
        {
            in.readNBytes(16);
            socket.getOutputStream().write(new byte[] {1, 100, 0, 'L', 'D', 'G'});
        }))
        {
            assertThatThrownBy(() -> desk(server).connect()).hasMessageStartingWith("CLN-0202")
                .hasMessageContaining("EOFException");
        }
        try (ScriptedServer server = new ScriptedServer((in, socket) ->
        {
            in.readNBytes(16);
            socket.getOutputStream().write(new byte[] {0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1});
            in.readAllBytes();
        }))
        {
            assertThatThrownBy(() -> desk(server).connect()).hasMessageStartingWith("CLN-0202")
                .hasMessageContaining("stored=-1");
        }
    }

    @Test
    void shouldEndWhenTheServerAcknowledgesMoreRowsThanWereSent() throws IOException
    {
        try (ScriptedServer server = ScriptedServer.responding(ScriptedServer.acknowledgement(7)))
        {
            final EventSender sender = desk(server).connect();
            sender.addString("A").addDouble(1).endRow();
            assertThatThrownBy(() -> sender.awaitAcknowledgements(LONG)).isInstanceOf(EventSenderException.class)
                .hasMessageStartingWith("CLN-0304").hasMessageContaining("acknowledged=7 stored=7 rows=1");
            assertThatThrownBy(sender::flush).hasMessageStartingWith("CLN-0304");
            sender.close();
        }
    }

    @Test
    void shouldIgnoreAcknowledgementsThatDecrease() throws IOException
    {
        try (ScriptedServer server = new ScriptedServer((in, socket) ->
        {
            ScriptedServer.accept(in, socket);
            for (int rows = 0; rows < 1;)
            {
                rows += ScriptedServer.readFrame(in);
            }
            socket.getOutputStream().write(ScriptedServer.acknowledgement(1));
            socket.getOutputStream().write(ScriptedServer.acknowledgement(Long.MIN_VALUE));
            ScriptedServer.readFrame(in);
            socket.getOutputStream().write(ScriptedServer.acknowledgement(2));
            in.readAllBytes();
        }); EventSender sender = desk(server).connect())
        {
            sender.addString("A").addDouble(1).endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            sender.addString("B").addDouble(2).endRow();
            assertThat(sender.awaitAcknowledgements(LONG)).isTrue();
            assertThat(sender.acknowledgedRows()).isEqualTo(2);
        }
    }

    @Test
    void shouldEndWhenTheServerDoesNotUseTheProtocol() throws IOException
    {
        for (final byte[] response : new byte[][] {{3, 4, 0, 1, 0, 0, 0}, {77, 3, 0, 'a', 'b', 'c'}})
        {
            try (ScriptedServer server = ScriptedServer.responding(response))
            {
                final EventSender sender = EventSenderTest.to(server.port()).connect();
                sender.addString("A").addDouble(1).endRow();
                assertThatThrownBy(() -> sender.awaitAcknowledgements(LONG)).hasMessageStartingWith("CLN-0301")
                    .hasMessageContaining("not that of a socket adapter, status=" + response[0]);
                sender.close();
            }
        }
    }
}
