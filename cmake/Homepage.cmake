# Where this copy of the project came from, as far as git knows it.

# Sets OUT to the page of the repository at REMOTE, a remote of git: the address
# itself, or for an account "git" the one of the same name on the web. Sets
# PLACEHOLDER where REMOTE has no page: a path, an address with a name or a
# password.
function(gpuocc_homepage_of remote placeholder out)
  set(name "[A-Za-z0-9._-]+")
  set(page "${placeholder}")
  if(remote MATCHES "^(https://|ssh://git@)(${name}(/${name})+)/?$")
    set(page "https://${CMAKE_MATCH_2}")
  elseif(remote MATCHES "^git@(${name}):(${name}(/${name})+)/?$")
    set(page "https://${CMAKE_MATCH_1}/${CMAKE_MATCH_2}")
  endif()
  string(REGEX REPLACE "\\.git$" "" page "${page}")
  set(${out} "${page}" PARENT_SCOPE)
endfunction()

# Sets OUT to the page of the repository that SOURCE was cloned from.
function(gpuocc_find_homepage source placeholder out)
  set(remote "")
  find_program(GPUOCC_GIT git)
  # Not that of a repository around an unpacked archive.
  if(GPUOCC_GIT AND EXISTS ${source}/.git)
    execute_process(COMMAND ${GPUOCC_GIT} -C ${source} config --get remote.origin.url
                    OUTPUT_VARIABLE remote OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  gpuocc_homepage_of("${remote}" "${placeholder}" page)
  set(${out} "${page}" PARENT_SCOPE)
endfunction()
