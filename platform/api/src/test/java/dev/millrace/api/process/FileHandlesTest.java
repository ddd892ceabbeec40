package dev.millrace.api.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FileHandlesTest
{
    @TempDir
    private Path process;

    private FileHandles handles(final String limit, final int open) throws IOException
    {
        Files.writeString(process.resolve("limits"), "Limit                     Soft Limit           Hard Limit\n"
            + "Max core file size        0                    unlimited            bytes\n"
            + "Max open files            " + limit + "                  4096                 files\n");
        Files.createDirectories(process.resolve("fd"));
        for (int i = 0; i < open; i++)
        {
            Files.createFile(process.resolve("fd/" + i));
        }
        return new FileHandles(process);
    }

    @Test
    void shouldLeaveTheReservedOnes() throws Exception
    {
        final FileHandles handles = handles("128", 70);
        assertThat(handles.limit()).isEqualTo(128);
        int taken = 0;
        while (handles.tryTake())
        {
            Files.createFile(process.resolve("fd/socket" + taken++));
        }
        assertThat(taken).isEqualTo(128 - FileHandles.RESERVED - 70);
    }

    @Test
    void shouldGiveAgainWhenSomeWereClosed() throws Exception
    {
        final FileHandles handles = handles("50", 18);
        assertThat(handles.tryTake()).isFalse();
        Files.delete(process.resolve("fd/3"));
        while (!handles.tryTake())
        {
            Thread.onSpinWait();
        }
        Files.createFile(process.resolve("fd/3"));
        assertThat(handles.tryTake()).isFalse();
    }

    @Test
    void shouldHaveNoLimitWhereTheSystemTellsNone() throws Exception
    {
        assertThat(new FileHandles(process).limit()).isEqualTo(FileHandles.UNLIMITED);
        assertThat(new FileHandles(process).tryTake()).isTrue();
        final FileHandles unlimited = handles("unlimited", 1);
        assertThat(unlimited.limit()).isEqualTo(FileHandles.UNLIMITED);
        assertThat(unlimited.tryTake()).isTrue();
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoHandleLeft()
    {
        final IOException failure = new IOException("wrapped", new SocketException("Too many open files"));
        assertThat(FileHandles.hint(failure, "stop the other process")).contains("no file handle left", "ulimit -n");
        assertThat(FileHandles.hint(new IOException("Address already in use"), "stop the other process"))
            .isEqualTo("stop the other process");
    }
}
