package dev.millrace.command.instance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Restricts files of a domain to their owner, because they contain passwords and events. */
final class PrivateFiles
{
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(PosixFilePermission.OWNER_READ,
        PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private PrivateFiles()
    {
    }

    /** Removes the permissions of group and others, where the file system supports them; links are not changed. */
    static void apply(final Path path) throws IOException
    {
        final PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view != null && !Files.isSymbolicLink(path))
        {
            final Set<PosixFilePermission> permissions =
                EnumSet.copyOf(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
            permissions.retainAll(OWNER);
            view.setPermissions(permissions);
        }
    }
}
