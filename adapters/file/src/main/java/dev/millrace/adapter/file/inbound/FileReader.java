package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import java.io.IOException;
import java.nio.file.Path;

/** Opens the files of a format. Confined to the source's thread. */
interface FileReader
{
    InputFile open(Path path) throws IOException;

    /** @param resumeOffset position at which rows begin that were not sent yet */
    OpenFile begin(InputFile input, StreamFile part, long resumeOffset);
}
