package dev.millrace.command.instance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Files of a domain hold passwords and events: only their owner may read them. */
final class OwnerOnly
{
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(PosixFilePermission.OWNER_READ,
        PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private OwnerOnly()
    {
    }

    /** Takes the rights of group and others away, where the file system has such; links stay as they are. */
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
