package dev.millrace.server.extender.bundle;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Loads bean classes, first from the application's bundle, then from the extender's bundle, which has access to all of
 * Spring. Thread-safe; does not define classes.
 */
public final class BundleFirstLoader extends ClassLoader
{
    private final ClassLoader bundle;

    public BundleFirstLoader(final ClassLoader bundle, final ClassLoader extender)
    {
        super(extender);
        this.bundle = bundle;
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
    {
        try
        {
            return bundle.loadClass(name);
        }
        catch (final ClassNotFoundException e)
        {
            return super.loadClass(name, resolve);
        }
    }

    @Override
    public URL getResource(final String name)
    {
        final URL own = bundle.getResource(name);
        return own != null ? own : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(final String name) throws IOException
    {
        final List<URL> all = new ArrayList<>(Collections.list(bundle.getResources(name)));
        for (final URL url : Collections.list(getParent().getResources(name)))
        {
            if (!all.contains(url))
            {
                all.add(url);
            }
        }
        return Collections.enumeration(all);
    }
}
