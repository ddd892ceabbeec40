package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.file.inbound.position.StreamFile;
import dev.millrace.adapter.file.inbound.position.StreamPositions;
import dev.millrace.adapter.file.inbound.select.FileSelector;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletes, moves or forgets files whose rows were all received. Confined to the source's thread.
 *
 * <p>It acts on what was received at the previous call, so that a crash of the machine, after which receivers may lack
 * their very last rows, does not find files deleted that are to be read again.
 */
final class ReadFiles
{
    private final SourceSettings settings;
    private final StreamPositions positions;
    private final FileSelector selector;
    private final StageConditions conditions;
    private long received = -1;

    ReadFiles(final SourceSettings settings, final StreamPositions positions, final FileSelector selector,
        final StageConditions conditions)
    {
        this.settings = settings;
        this.positions = positions;
        this.selector = selector;
        this.conditions = conditions;
    }

    /** @param receivedNow number up to which all rows were received */
    void settle(final long receivedNow) throws IOException
    {
        final List<StreamFile> files = new ArrayList<>(positions.files());
        final List<StreamFile> done = new ArrayList<>();
        final Set<Path> later = new HashSet<>();
        String failure = null;
        for (int i = files.size() - 1; i >= 0; i--)
        {
            final StreamFile file = files.get(i);
            final boolean isNewest = later.add(file.path());
            if (file.hasEnded() && file.endNumber() <= received)
            {
                final String reason = isNewest ? act(file) : null;
                failure = reason == null ? failure : reason;
                if (!isNewest || reason == null && i < files.size() - 1 && !selector.mustKnow(file.path()))
                {
                    done.add(file);
                }
            }
        }
        positions.forget(done);
        report(failure);
        received = receivedNow;
    }

    /** Returns why it failed; {@code null} if there is nothing left to do. */
    private String act(final StreamFile file)
    {
        if (settings.afterRead() == AfterRead.KEEP || file.isDamaged())
        {
            return null;
        }
        try
        {
            if (!file.identity().matches(file.path()) || Files.size(file.path()) != file.sizeBytes())
            {
                return null;
            }
            if (settings.afterRead() == AfterRead.DELETE)
            {
                Files.delete(file.path());
            }
            else
            {
                Files.createDirectories(settings.moveTo());
                Files.move(file.path(), settings.moveTo().resolve(file.path().getFileName()));
            }
            return null;
        }
        catch (final IOException e)
        {
            return "file=" + file.path() + " reason=" + e;
        }
    }

    private void report(final String failure)
    {
        if (failure == null)
        {
            conditions.clear(FileErrorCode.AFTER_READ.text());
            return;
        }
        conditions.raise(FileErrorCode.AFTER_READ.text(), FileErrorCode.AFTER_READ.message("a file that was read " +
            "cannot be " + (settings.afterRead() == AfterRead.MOVE ? "moved" : "deleted") + ", stage=" +
            settings.stageName() + ' ' + failure,
            "correct the cause: it is tried again, and the file is not read twice"));
    }
}
