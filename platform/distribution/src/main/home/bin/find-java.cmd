rem Called by the scripts of the product. Sets "java" to a Java of at least version 17 and "java_major" to its version,
rem or returns 64. Searches JAVA_HOME first, then the path.
set "java="
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
if not defined JAVA_HOME for /f "delims=" %%j in ('where java 2^>nul') do if not defined java set "java=%%j"
if not defined java (
    echo CMD-0001: no java on the path>&2
    echo     hint: install a JDK 17 or newer and set JAVA_HOME to its directory>&2
    exit /b 64
)
if not exist "%java%" (
    echo CMD-0001: no java in JAVA_HOME, JAVA_HOME=%JAVA_HOME%>&2
    echo     hint: set JAVA_HOME to the directory of a JDK 17 or newer, or unset it to use java from the path>&2
    exit /b 64
)
set "java_version="
for /f "tokens=3" %%v in ('""%java%" -XshowSettings:properties -version 2^>^&1 ^| findstr /c:"java.version =""') do set "java_version=%%v"
set "java_major=0"
for /f "tokens=1 delims=.-+" %%v in ("%java_version%") do set "java_major=%%v"
if %java_major% lss 17 (
    echo CMD-0001: java is too old, version=%java_version% needed=17 java=%java%>&2
    echo     hint: set JAVA_HOME to the directory of a JDK 17 or newer>&2
    exit /b 64
)
exit /b 0
