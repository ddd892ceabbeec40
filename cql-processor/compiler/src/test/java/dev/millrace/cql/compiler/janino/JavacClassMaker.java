package dev.millrace.cql.compiler.janino;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles generated source text with javac, with all warnings as errors: a second opinion on the generator. */
public final class JavacClassMaker implements ClassCompiler
{
    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final Memory memory = new Memory(compiler.getStandardFileManager(null, null, null));
        final StringWriter messages = new StringWriter();
        final boolean done = compiler.getTask(messages, memory, null,
            List.of("-Xlint:all", "-Werror", "-proc:none", "-classpath", System.getProperty("java.class.path")), null,
            List.of(new Source(className, javaText))).call();
        if (!done)
        {
            throw new IllegalStateException("javac refuses the text: " + messages);
        }
        try
        {
            return new Loader(parent, memory.classes).loadClass(className);
        }
        catch (final ClassNotFoundException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject
    {
        private final String text;

        Source(final String className, final String text)
        {
            super(URI.create("string:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(final boolean ignoreEncodingErrors)
        {
            return text;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager>
    {
        private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

        Memory(final JavaFileManager files)
        {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(final Location location, final String className,
            final JavaFileObject.Kind kind, final FileObject sibling)
        {
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind)
            {
                @Override
                public OutputStream openOutputStream()
                {
                    return classes.computeIfAbsent(className, name -> new ByteArrayOutputStream());
                }
            };
        }
    }

    private static final class Loader extends ClassLoader
    {
        private final Map<String, ByteArrayOutputStream> classes;

        Loader(final ClassLoader parent, final Map<String, ByteArrayOutputStream> classes)
        {
            super(parent);
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(final String name) throws ClassNotFoundException
        {
            final ByteArrayOutputStream bytes = classes.get(name);
            if (bytes == null)
            {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes.toByteArray(), 0, bytes.size());
        }
    }
}
